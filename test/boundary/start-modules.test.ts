import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { filesOf, readModule } from './module-facts.ts';

/**
 * What a CLI task loads before its first model request. Anything that not every task needs is loaded by
 * `await import()`, because every task pays for the startup.
 */
const root = path.resolve(import.meta.dirname, '../..');
const START = ['src-main/compose.ts', 'src-main/cli/start.ts', 'src-main/cli/commands/run.ts'];

/** Loaded where they are used, never at startup. */
const LAZY = [
  'src-main/agents/research/read-pages.ts',
  'src-main/agents/research/research-agent.ts',
  'src-main/cli/command-tree.ts',
  'src-main/cli/terminal-questions.ts',
  'src-main/orchestrator/classify.ts',
  'src-main/run/run-import.ts',
  'src-main/langgraph.ts',
  'src-main/models/answer-builder.ts',
  'src-main/reports/export-report.ts',
  'src-main/storage/journal-checkpointer.ts',
  'src-preload/contract/events/research.ts',
  'src-preload/contract/events/run-event.ts',
  'src-preload/contract/requests.ts',
];

/** The metadata of builtin skills. */
const SKILL_METADATA = /\/builtin\/[^/]+\/(?:metadata|kinds|lengths)\.ts$/;

const sources = new Map(
  globSync('{src-main,src-preload}/**/*.ts', { cwd: root })
    .map((file) => file.split(path.sep).join('/'))
    .map((file) => [file, readFileSync(path.join(root, file), 'utf8')]),
);

function resolve(from: string, specifier: string): string {
  if (specifier.startsWith('#contract/')) return `src-preload/contract/${specifier.slice(10)}`;
  return path.posix.join(path.posix.dirname(from), specifier);
}

/** All modules that these entries load. */
function loadedWith(entries: readonly string[]): Set<string> {
  const loaded = new Set<string>();
  const queue = [...entries];
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    const source = sources.get(file);
    if (source === undefined || loaded.has(file)) continue;
    loaded.add(file);
    for (const { specifier, isType, isLazy } of readModule(file, source).imports) {
      if (isType || isLazy || specifier === null) continue;
      queue.push(...filesOf(resolve(file, specifier), sources.keys()));
    }
  }
  return loaded;
}

test('a task loads at startup only what every task needs', () => {
  const loaded = loadedWith(START);
  expect(LAZY.filter((file) => loaded.has(file))).toEqual([]);
  const skills = [...loaded].filter((file) => file.startsWith('src-main/skills/builtin/'));
  expect(skills.filter((file) => !SKILL_METADATA.test(file))).toEqual([]);
  // An empty result proves nothing if nothing was followed, or if a file was renamed.
  expect(LAZY.filter((file) => !sources.has(file))).toEqual([]);
  expect([...loaded]).toEqual(
    expect.arrayContaining([
      'src-main/agents/executor-turn.ts',
      'src-main/skills/builtin/web-research/metadata.ts',
      'src-main/tools/definitions/ask-user.ts',
      'src-preload/contract/entities.ts',
    ]),
  );
});

test('no module creates an Intl object, which loads language tables, before it is used', () => {
  const eager = [...loadedWith(START)].filter((file) =>
    /^(?:export )?(?:const|let) [^=\n]+=\s*new Intl\./m.test(sources.get(file) ?? ''),
  );
  expect(eager).toEqual([]);
  expect(sources.get('src-main/search/same-page.ts')).toContain('new Intl.Segmenter');
});
