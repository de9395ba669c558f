import { createInterface } from 'node:readline/promises';
import { UsageError } from './exit-codes.ts';

/** Asks the user at the terminal. Throws `UsageError` where there is none. */
export async function isConfirmed(question: string): Promise<boolean> {
  if (process.stdin.isTTY !== true) {
    throw new UsageError(
      'Nothing was changed: there is no terminal for the confirmation. Confirm with --yes.',
    );
  }
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await lines.question(`${question} [y/N] `)).trim());
  } finally {
    lines.close();
  }
}
