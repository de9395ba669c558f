/** What rolldown tells of a module while it forms chunks. */
interface ModuleGraph {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null;
}

const START = 'src-main/cli/start.ts';
const RUN = 'src-main/cli/commands/run.ts';
const COMPOSE = 'src-main/compose.ts';
const GRAPHS = ['src-main/langgraph.ts', 'src-main/storage/journal-checkpointer.ts'];
const WATCH = 'src-main/main-loop/watch-worker.ts';
const OTHER_WORKERS = [
  'src-main/storage/backup-worker.ts',
  'src-main/documents/document-worker.ts',
  'src-main/library/index-worker.ts',
  'src-main/skills/markdown/yaml-parser.ts',
  'src-main/skills/dynamic/worker/skill-worker.ts',
];

/**
 * Puts what every task loads into five chunks. Formed by which entries share what, they would be more than
 * thirty, and each costs a start the better part of a millisecond. A worker loads nothing of the app's.
 */
export function startChunks(root: string): { groups: { name: ChunkName }[] } {
  let chunkOf: ((id: string) => string | null) | null = null;
  const name: ChunkName = (id, graph) => {
    chunkOf ??= partition(root, graph);
    return chunkOf(id);
  };
  return { groups: [{ name }] };
}

type ChunkName = (id: string, graph: ModuleGraph) => string | null;

function partition(root: string, graph: ModuleGraph): (id: string) => string | null {
  const loadedBy = (...files: readonly string[]): ReadonlySet<string> => {
    const loaded = new Set<string>();
    const queue = files.map((file) => `${root}${file}`);
    for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
      if (loaded.has(id)) continue;
      loaded.add(id);
      queue.push(...(graph.getModuleInfo(id)?.importedIds ?? []));
    }
    return loaded;
  };
  const [start, run, compose, watch] = [START, RUN, COMPOSE, WATCH].map((file) => loadedBy(file));
  const workers = loadedBy(...OTHER_WORKERS);
  const graphs = loadedBy(...GRAPHS);
  return (id) => {
    if (watch?.has(id)) return compose?.has(id) ? 'log' : null;
    // Most workers open no database.
    if (workers.has(id)) return compose?.has(id) && !id.includes('/storage/') ? 'common' : null;
    if (start?.has(id)) return compose?.has(id) ? 'shared' : 'start';
    if (compose?.has(id)) return 'core';
    if (run?.has(id)) return 'run';
    return graphs.has(id) ? 'graphs' : null;
  };
}
