import { appendFileSync } from 'node:fs';

/** Where the costs of the browser that several suites share are noted. */
export const SHARED_BROWSER = 'Chromium';

/** What a test file tells `npm test` beside its results: what it cost, and what it left out. */
export type TestNote =
  | {
      readonly kind: 'cost';
      readonly suite: string;
      readonly file: string;
      /** Of the file and of the processes that it started and that ended, in CPU milliseconds. */
      readonly cpuMs: number;
    }
  | {
      readonly kind: 'sample';
      readonly name: string;
      readonly taken: number;
      readonly of: number;
      /** Runs all of them. */
      readonly command: string;
    };

/** Adds a note for the end of `npm test`; does nothing under a bare vitest. */
export function note(one: TestNote): void {
  const file = process.env.HYPERAGENT_TEST_NOTES;
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(one)}\n`);
}
