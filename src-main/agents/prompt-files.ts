import { readFileSync } from 'node:fs';
import path from 'node:path';

/** A prompt of `resources/prompts` by its name. The bytes never change, so that servers keep their prompt cache. */
export function readPromptFile(promptsDir: string, name: string): string {
  return readFileSync(path.join(promptsDir, `${name}.md`), 'utf8').trim();
}
