/** A file as the user edits it, kept until it is saved or given up. */
export interface FileDraft {
  readonly text: string;
  /** What it was when it was opened, or last saved. */
  readonly saved: string;
  /** Hashes of files that hold just that: of the saved one, and of the one that it took the place of. */
  readonly known: readonly (string | null)[];
  /** Counts how often the text was taken from the file again; the editor then begins with it. */
  readonly generation?: number;
}

/** A file as it is. */
export interface FileNow {
  readonly text: string;
  /** Null for one that cannot be edited: it has become too long, or is not text any more. */
  readonly sha256: string | null;
}

const PREFIX = 'file ';

/** The name that a draft is kept under: see `useKept`. */
export function fileDraftName(threadId: string, path: string): string {
  return `${PREFIX}${threadId} ${path}`;
}

export function isFileDraftName(name: string): boolean {
  return name.startsWith(PREFIX);
}

/** The files of a task that have text that is not saved, by path. */
export function unsavedFiles(kept: ReadonlyMap<string, unknown>, threadId: string): string[] {
  const prefix = fileDraftName(threadId, '');
  const names = [...kept].flatMap(([name, draft]) =>
    name.startsWith(prefix) && isFileDraft(draft) && isUnsaved(draft) ? [name] : [],
  );
  return names.map((name) => name.slice(prefix.length)).sort();
}

export function isUnsaved({ text, saved, known }: FileDraft): boolean {
  return known[0] === null || text !== saved;
}

/** The draft of a file that is there, or of a new one. */
export function draftOfFile(file: FileNow | null): FileDraft {
  const text = file?.text ?? '';
  return { text, saved: text, known: [file?.sha256 ?? null] };
}

export function isFileDraft(value: unknown): value is FileDraft {
  if (typeof value !== 'object' || value === null) return false;
  const { text, saved, known } = value as Partial<Record<keyof FileDraft, unknown>>;
  const areTexts = typeof text === 'string' && typeof saved === 'string';
  const isKnown = (one: unknown): boolean => one === null || typeof one === 'string';
  return areTexts && Array.isArray(known) && known.length > 0 && known.every(isKnown);
}
