import type { z } from 'zod';
import { TOOLS, type ToolName } from '#contract/tools.ts';
import type { AppService } from '../apps/types.ts';
import type { Clock } from '../base/clock.ts';
import type { BrowserService } from '../browser/types.ts';
import type { ConnectorCalls } from '../connectors/types.ts';
import type { DocumentReader } from '../documents/document-reader.ts';
import type { ImageMaker } from '../images/image-service.ts';
import type { PictureStore } from '../pictures/picture-store.ts';
import type { UserEdits } from '../sandbox/user-edits.ts';
import type { ScanReader } from '../scans/scan-reader.ts';
import type { LibraryReader, SearchService } from '../search/types.ts';
import type { MarkdownCatalogue } from '../skills/markdown/markdown-catalogue.ts';
import type { SkillSessions } from '../skills/markdown/skill-sessions.ts';
import type { SkillExecutor } from '../skills/skill-executor.ts';
import type { SkillRegistry } from '../skills/skill-registry.ts';
import type { SlideMaker } from '../slides/slide-service-types.ts';
import type { ToolDefinition } from './types.ts';

/** What the tools of `definitions/` may use of the app. */
export interface ToolParts {
  /** The user's limit for one command. */
  readonly commandTimeoutMs: () => number;
  readonly search: SearchService;
  /** Null where there is no library. */
  readonly library: LibraryReader | null;
  readonly documents: Pick<DocumentReader, 'extractText'>;
  /** Keeps pictures with their task. */
  readonly pictures: Pick<PictureStore, 'add'>;
  /** Draws pages of PDFs. */
  readonly scans: Pick<ScanReader, 'draw'>;
  /** The browser of each task, and pages that are read by themselves. */
  readonly browsers: Pick<BrowserService, 'forTask' | 'render'>;
  /** The app that a task builds. */
  readonly apps: Omit<AppService, keyof AsyncDisposable | 'close' | 'preview' | 'stop' | 'show'>;
  /** Files that the user changed, which the model has not seen since. */
  readonly edits: Pick<UserEdits, 'find' | 'seen'>;
  /** Makes and opens presentations. */
  readonly slides: SlideMaker;
  /** Makes pictures. */
  readonly images: ImageMaker;
  /** The tools of the user's MCP servers. */
  readonly connectors: ConnectorCalls;
  readonly skills: {
    readonly registry: SkillRegistry;
    readonly executor: SkillExecutor;
    readonly markdown: Pick<MarkdownCatalogue, 'open'>;
    readonly sessions: SkillSessions;
    readonly clock: Clock;
  };
  /** Every tool of the catalogue. */
  readonly toolNames: () => ReadonlySet<string>;
  /** A program of the app (`resources/sandbox`), by the name of its file. */
  readonly readModule: (name: string) => Promise<string>;
  /** Time limit of a page that a skill reads; time in which the user's answer is awaited does not count. */
  readonly pageTimeoutMs: () => number;
}

/** A tool of the app, whose category is in the contract, or any other with its own. */
type ToolSpec<Input extends z.ZodType> =
  | ToolDefinition<Input>
  | (Omit<ToolDefinition<Input>, 'name' | 'category'> & { readonly name: ToolName });

/** Defines a tool and hides the type of its arguments from the catalogue, which holds many types. */
export function defineTool<Input extends z.ZodType>(spec: ToolSpec<Input>): ToolDefinition {
  const definition = 'category' in spec ? spec : { ...spec, category: TOOLS[spec.name].category };
  // Safe: the pipeline parses with `input` before it calls anything else of the definition.
  return definition as unknown as ToolDefinition;
}
