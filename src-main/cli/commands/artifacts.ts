import {
  ARTIFACT_PAGE_SIZE,
  ARTIFACT_QUERY_CHARS,
  type Artifact,
  type ArtifactKind,
} from '#contract/artifacts.ts';
import { nameOf } from '#contract/visible-text.ts';
import type { CliEnvironment } from '../environment.ts';
import { EXIT, UsageError } from '../exit-codes.ts';
import { openApp } from '../open-app.ts';
import { jsonLine, print } from '../output.ts';
import { size } from '../text-printer.ts';
import { showControls } from '../visible-text.ts';

export interface ArtifactFlags {
  readonly dataDir?: string;
  readonly json?: boolean;
  readonly kind?: ArtifactKind;
  readonly task?: string;
  readonly limit: number;
  readonly before?: number;
}

/** The files that the agent made, newest first. */
export async function listArtifacts(
  words: string,
  flags: ArtifactFlags,
  environment: CliEnvironment,
): Promise<number> {
  const { dataDir, kind, task: threadId, limit, before: beforeId } = flags;
  if (words.length > ARTIFACT_QUERY_CHARS) {
    throw new UsageError(`The words can have up to ${ARTIFACT_QUERY_CHARS} characters.`);
  }
  if (limit < 1 || limit > ARTIFACT_PAGE_SIZE) {
    throw new UsageError(`--limit takes a number from 1 to ${ARTIFACT_PAGE_SIZE}.`);
  }
  await using app = await openApp(environment, { dataDir, attended: false, readOnly: true });
  const found = app.api['artifacts.list']({ threadId, kind, words, beforeId, limit });
  if (flags.json) {
    print(jsonLine(found));
    return EXIT.complete;
  }
  if (found.artifacts.length === 0) print('No files found.\n');
  for (const artifact of found.artifacts) print(`${describe(artifact)}\n`);
  if (found.next !== null) print(`For the next ones, add: --before ${found.next}\n`);
  return EXIT.complete;
}

function describe({ at, kind, size: bytes, path, threadId, threadTitle, isDeleted }: Artifact) {
  const when = new Date(at).toISOString().slice(0, 16).replace('T', ' ');
  const mark = isDeleted ? '  deleted' : '';
  // A line break in a name must not look like another file.
  const [file, title] = [path, threadTitle].map((text) =>
    showControls(text).replace(/[\n\t]/g, nameOf),
  );
  return `${when}  ${kind.padEnd(8)}  ${size(bytes).padStart(9)}  ${file}${mark}  (${threadId}, ${title})`;
}
