import { readFileSync } from 'node:fs';
import path from 'node:path';

const NAMES = ['plan', 'notes', 'coverage', 'analyze', 'synthesize', 'report', 'check'] as const;

/** The system prompt of each phase. The bytes never change, so that servers keep their prompt cache. */
export type ResearchPrompts = Readonly<Record<(typeof NAMES)[number], string>>;

export function readResearchPrompts(promptsDir: string): ResearchPrompts {
  const read = (name: string): string =>
    readFileSync(path.join(promptsDir, `research-${name}.md`), 'utf8').trim();
  return Object.fromEntries(NAMES.map((name) => [name, read(name)])) as ResearchPrompts;
}
