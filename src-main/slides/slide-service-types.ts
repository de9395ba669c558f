import type { Deck, DeckTemplate, OfficeCheck, OpenDeck } from '#contract/slides.ts';
import type { TaskSandbox, WorkspaceFiles } from '../sandbox/types.ts';
import type { DataTable } from './given/data-table.ts';

export interface SlideFile {
  readonly threadId: string;
  /** The presentation, relative to the workspace, ending in `.pptx`. */
  readonly path: string;
  readonly files: Pick<WorkspaceFiles, 'read' | 'replace'>;
}

/** The rows of a file of data. Throws as `readDataTable` does. */
export type ReadTable = (bytes: Buffer, kind: string) => Promise<DataTable>;

export interface UsedTemplate {
  readonly template: DeckTemplate;
  /** What of it is not in the deck, a sentence each. */
  readonly leftOut: readonly string[];
}

/** Makes and opens presentations. */
export interface SlideMaker {
  /**
   * Lays a deck out, checks it and writes the presentation, replacing the file. A picture that is missing or cannot be read
   * is a finding. Throws `BAD_REQUEST` for what no layout can hold, and what writing throws.
   */
  make(deck: Deck, file: SlideFile, signal: AbortSignal): Promise<OpenDeck>;
  /**
   * Takes a presentation of the workspace as a template for decks of this task; it is kept with them. Throws `BAD_REQUEST` for
   * one that cannot be a template, with what to do, and what reading throws.
   */
  takeTemplate(path: string, file: SlideFile, signal: AbortSignal): Promise<UsedTemplate>;
  /** Reads a file of data, apart: it may be hostile. */
  readTable(bytes: Buffer, kind: string, signal: AbortSignal): ReturnType<ReadTable>;
  /** Throws as `slides.open` does. */
  open(file: SlideFile, signal: AbortSignal): Promise<OpenDeck>;
  /** The file as LibreOffice shows it, beside the preview. Throws as `slides.open` does, and `SANDBOX_…`. */
  checkInOffice(file: SlideFile, sandbox: TaskSandbox, signal: AbortSignal): Promise<OfficeCheck>;
}
