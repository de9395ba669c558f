import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { SetResult } from './types.ts';

/** A task of one evaluation as it is kept; `date` is the same for all tasks of one evaluation. */
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

/** Adds lines to those that are kept in a folder; gives the file. */
export function keepResults(dir: string, lines: readonly ResultLine[]): string {
  mkdirSync(dir, { recursive: true });
  const file = join(dir, FILE);
  appendFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return file;
}

/** All lines that are kept in a folder, oldest first. A line that cannot be read, as after a power cut, is left out. */
export function readResults(dir: string): ResultLine[] {
  const file = join(dir, FILE);
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        return [ResultLine.parse(JSON.parse(line))];
      } catch {
        // An empty or cut line: the others still say something.
        return [];
      }
    });
}
