import { z } from 'zod';
import { AttachedPicture } from './attachments.ts';

/** Most artifacts in one answer. */
export const ARTIFACT_PAGE_SIZE = 200;
export const ARTIFACT_QUERY_CHARS = 200;
/** The largest file that a window saves. */
export const ARTIFACT_SAVE_BYTES = 32 * 1024 * 1024;

/** What a file is to its user, by its name. */
export const ArtifactKind = z.enum([
  'image',
  'document',
  'report',
  'slides',
  'table',
  'code',
  'other',
]);
export type ArtifactKind = z.infer<typeof ArtifactKind>;

/** A file that calls of the agent made or changed, as it was after the newest of them. */
export const Artifact = z.strictObject({
  /** Grows with every change of any artifact: newer ones have greater ids. */
  id: z.int().positive(),
  threadId: z.string(),
  threadTitle: z.string(),
  /** The run that changed it last, and the event that says so. */
  runId: z.string(),
  seq: z.int().nonnegative(),
  /** The call that did, or the report that the file is. */
  origin: z.string(),
  at: z.int(),
  /** Relative to the workspace. Untrusted. */
  path: z.string(),
  kind: ArtifactKind,
  /** Bytes after the change. */
  size: z.int().nonnegative(),
  /** The file is no longer in its task. */
  isDeleted: z.boolean(),
});
export type Artifact = z.infer<typeof Artifact>;

const EXTENSIONS = {
  image: 'apng avif bmp gif heic ico jpeg jpg png svg tif tiff webp',
  document: 'doc docx epub htm html log md odt pdf rst rtf tex txt',
  slides: 'key odp ppt pptx',
  table: 'csv ods parquet tsv xls xlsx',
  code:
    'bash c cc cpp cs css dart go h hpp ipynb java jl js json jsonl jsx kt lua mjs php pl ps1 py r ' +
    'rb rs scala scss sh sql svelte swift toml ts tsx vue xml yaml yml zig',
} as const satisfies Partial<Record<ArtifactKind, string>>;

const KINDS: ReadonlyMap<string, ArtifactKind> = new Map(
  Object.entries(EXTENSIONS).flatMap(([kind, all]) =>
    all.split(' ').map((extension): [string, ArtifactKind] => [extension, kind as ArtifactKind]),
  ),
);
/** Where research puts its reports. */
const REPORT = /^research\/[^/]+\.md$/i;

/** The kind of a file of a workspace; its contents do not matter. */
export function artifactKind(path: string): ArtifactKind {
  if (REPORT.test(path)) return 'report';
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return (dot > 0 ? KINDS.get(name.slice(dot + 1).toLowerCase()) : undefined) ?? 'other';
}

const id = z.string().min(1).max(100);

/** Requests about what the agent made; a part of `REQUESTS`. */
export const ARTIFACT_REQUESTS = {
  /** What the agent made in all tasks or in one, newest first. */
  'artifacts.list': {
    effect: 'read',
    input: z.strictObject({
      threadId: id.optional(),
      kind: ArtifactKind.optional(),
      /** Words that all occur in the path, ignoring case. */
      words: z.string().max(ARTIFACT_QUERY_CHARS).optional(),
      /** Only artifacts before this one, for the next page. */
      beforeId: z.int().positive().optional(),
      limit: z.int().min(1).max(ARTIFACT_PAGE_SIZE).optional(),
    }),
    output: z.strictObject({
      artifacts: z.array(Artifact),
      /** The `beforeId` of the next page; null at the end. */
      next: z.int().positive().nullable(),
    }),
  },
  /** A small picture of an image in a task: decoded apart and written again, so that nothing in it can act. */
  'artifacts.preview': {
    effect: 'read',
    input: z.strictObject({ threadId: id, path: z.string().min(1).max(4096) }),
    output: AttachedPicture,
  },
  /** All of a file of a task, to save it. `data` is base64; `FILE_TOO_LARGE` over `ARTIFACT_SAVE_BYTES`. */
  'artifacts.read': {
    effect: 'read',
    input: z.strictObject({ threadId: id, path: z.string().min(1).max(4096) }),
    output: z.strictObject({ fileName: z.string(), data: z.base64() }),
  },
} as const;
