import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readModule } from './module-facts.ts';

/**
 * What a task at the terminal loads before its first request to a model. Whatever is not needed for
 * every task waits for `await import()`: a start is paid for by each of them.
 */
const root = path.resolve(import.meta.dirname, '../..');
const START = ['src-main/compose.ts', 'src-main/cli/start.ts', 'src-main/cli/commands/run.ts'];

/** Loaded where they are used, and by no start. */
const WAITING = [
  'src-main/agents/research/read-pages.ts',
  'src-main/agents/research/research-agent.ts',
  'src-main/cli/terminal-questions.ts',
  'src-main/orchestrator/classify.ts',
  'src-main/run/run-import.ts',
  'src-main/langgraph.ts',
  'src-main/models/answer-builder.ts',
  'src-main/reports/export-report.ts',
  'src-main/storage/checkpoint/sqlite-checkpointer.ts',
  'src-preload/contract/events/research.ts',
  'src-preload/contract/events/run-event.ts',
  'src-preload/contract/requests.ts',
];

/** Of builtin skills, what they say of themselves. */
const KNOWN_OF_SKILLS = /\/builtin\/(?:all|[^/]+\/(?:metadata|kinds|lengths))\.ts$/;

const sources = new Map(
  globSync('{src-main,src-preload}/**/*.ts', { cwd: root })
    .map((file) => file.split(path.sep).join('/'))
    .map((file) => [file, readFileSync(path.join(root, file), 'utf8')]),
);

function resolve(from: string, specifier: string): string {
  if (specifier.startsWith('#contract/')) return `src-preload/contract/${specifier.slice(10)}`;
  return path.posix.join(path.posix.dirname(from), specifier);
}

/** Every module that is loaded with these. */
function loadedWith(entries: readonly string[]): Set<string> {
  const loaded = new Set<string>();
  const waiting = [...entries];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    const source = sources.get(file);
    if (source === undefined || loaded.has(file)) continue;
    loaded.add(file);
    for (const { specifier, isType, isLazy } of readModule(file, source).imports) {
      if (!isType && !isLazy && specifier !== null) waiting.push(resolve(file, specifier));
    }
  }
  return loaded;
}

test('a task loads what every task needs, and the rest where it is used', () => {
  const loaded = loadedWith(START);
  expect(WAITING.filter((file) => loaded.has(file))).toEqual([]);
  const skills = [...loaded].filter((file) => file.startsWith('src-main/skills/builtin/'));
  expect(skills.filter((file) => !KNOWN_OF_SKILLS.test(file))).toEqual([]);
  // An empty answer says nothing if nothing was followed, or if a file has another name by now.
  expect(WAITING.filter((file) => !sources.has(file))).toEqual([]);
  expect([...loaded]).toEqual(
    expect.arrayContaining([
      'src-main/agents/executor-turn.ts',
      'src-main/skills/builtin/web-research/metadata.ts',
      'src-preload/contract/entities.ts',
    ]),
  );
});

test('no module makes what reads the tables of languages before it is used', () => {
  const eager = [...loadedWith(START)].filter((file) =>
    /^(?:export )?(?:const|let) [^=\n]+=\s*new Intl\./m.test(sources.get(file) ?? ''),
  );
  expect(eager).toEqual([]);
  expect(sources.get('src-main/search/same-page.ts')).toContain('new Intl.Segmenter');
});
