import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ENTRIES, startChunks } from '../../scripts/build/start-chunks.ts';

const ROOT = join(import.meta.dirname, '../..');

/** The chunk of each module of a program whose modules import these. */
function chunksOf(imports: Readonly<Record<string, readonly string[]>>): Record<string, string> {
  const [group] = startChunks('/app/').groups;
  const graph = {
    getModuleInfo: (id: string) => ({
      importedIds: (imports[id.slice('/app/'.length)] ?? []).map((name) => `/app/${name}`),
    }),
  };
  const modules = new Set([...Object.keys(imports), ...Object.values(imports).flat()]);
  return Object.fromEntries(
    [...modules].flatMap((name) => {
      const chunk = group?.name(`/app/${name}`, graph) ?? null;
      return chunk === null ? [] : [[name, chunk]];
    }),
  );
}

it('puts what a task loads into few files, and what workers load into none of theirs', () => {
  const [graphs = '', checkpointer = ''] = ENTRIES.graphs;
  const [worker = ''] = ENTRIES.workers;
  const chunks = chunksOf({
    [ENTRIES.start]: ['commander', 'zod'],
    [ENTRIES.run]: ['printer', 'zod', 'events'],
    [ENTRIES.compose]: ['agents', 'zod', 'events', 'clock', 'text', 'src-main/storage/connection'],
    [graphs]: ['langgraph', 'zod'],
    [checkpointer]: ['langgraph', 'agents'],
    [ENTRIES.watch]: ['clock'],
    [worker]: ['clock', 'text', 'parser', 'src-main/storage/connection'],
    'src-main/web.ts': ['server'],
  });

  expect(chunks).toEqual({
    [ENTRIES.start]: 'start',
    ...{ commander: 'start', zod: 'shared' },
    [ENTRIES.run]: 'run',
    printer: 'run',
    [ENTRIES.compose]: 'core',
    ...{ agents: 'core', events: 'core' },
    [graphs]: 'graphs',
    [checkpointer]: 'graphs',
    langgraph: 'graphs',
    ...{ clock: 'log', text: 'common' },
  });
});

it('knows where the entries are', () => {
  const { graphs, workers, ...others } = ENTRIES;
  const missing = [...graphs, ...workers, ...Object.values(others)].filter(
    (file) => !existsSync(join(ROOT, file)),
  );
  expect(missing).toEqual([]);
});
