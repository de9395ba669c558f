import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The executor's system prompt: the same bytes at every start, so that servers keep their cache. */
export function readSystemPrompt(promptsDir: string): string {
  return readFileSync(path.join(promptsDir, 'executor.md'), 'utf8').trim();
}
