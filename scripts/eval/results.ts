import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { SetResult } from './types.ts';

/** A stored task result; `date` is the same for all tasks of one evaluation. */
export const ResultLine = z.object({
  date: z.iso.datetime(),
  version: z.string(),
  model: z.string(),
  set: z.string(),
  task: z.string(),
  pass: z.boolean(),
  why: z.string(),
  requests: z.number(),
  tokens: z.number(),
  seconds: z.number(),
});
export type ResultLine = z.infer<typeof ResultLine>;

const FILE = 'eval-results.jsonl';

/** The results as lines. */
export function toLines(
  results: readonly SetResult[],
  about: { readonly date: string; readonly version: string; readonly model: string },
): ResultLine[] {
  return results.flatMap(({ tasks }) =>
    tasks.map((task) => ({ ...about, ...task, seconds: Math.round(task.seconds * 1000) / 1000 })),
  );
}

/** Appends lines to the results in a folder. Returns the file. */
export function keepResults(dir: string, lines: readonly ResultLine[]): string {
  mkdirSync(dir, { recursive: true });
  const file = join(dir, FILE);
  appendFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return file;
}

/** All results in a folder, oldest first. Skips lines that cannot be read, as after a power cut. */
export function readResults(dir: string): ResultLine[] {
  const file = join(dir, FILE);
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        return [ResultLine.parse(JSON.parse(line))];
      } catch {
        // An empty or truncated line: the others are still valid.
        return [];
      }
    });
}
