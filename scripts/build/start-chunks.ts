/** What rolldown tells of a module while it forms chunks. */
interface ModuleGraph {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null;
}

/** From where modules are loaded; files of the project. */
export const ENTRIES = {
  start: 'src-main/cli/start.ts',
  run: 'src-main/cli/commands/run.ts',
  compose: 'src-main/compose.ts',
  graphs: ['src-main/langgraph.ts', 'src-main/storage/journal-checkpointer.ts'],
  /** Starts with every task. */
  watch: 'src-main/main-loop/watch-worker.ts',
  /** Starts with every shell of a Landlock sandbox, twice, without the app. */
  launcher: 'src-main/sandbox/landlock-provider/landlock-launcher.ts',
  workers: [
    'src-main/storage/backup-worker.ts',
    'src-main/documents/document-worker.ts',
    'src-main/pictures/picture-process.ts',
    'src-main/scans/scan-process.ts',
    'src-main/library/index-worker.ts',
    'src-main/skills/markdown/yaml-parser.ts',
    'src-main/skills/dynamic/worker/skill-worker.ts',
  ],
} as const;

/**
 * Puts what every task loads into few chunks. Formed by which entries share what, they would be more than
 * thirty, and each costs a start half a millisecond. What workers share with the app stays apart from it,
 * so that none of them loads the app.
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
    const queue = files.map((file) => `${root.replaceAll('\\', '/')}${file}`);
    for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
      if (loaded.has(id)) continue;
      loaded.add(id);
      queue.push(...(graph.getModuleInfo(id)?.importedIds ?? []));
    }
    return loaded;
  };
  const start = loadedBy(ENTRIES.start);
  const run = loadedBy(ENTRIES.run);
  const compose = loadedBy(ENTRIES.compose);
  const graphs = loadedBy(...ENTRIES.graphs);
  const watch = loadedBy(ENTRIES.watch);
  const launcher = loadedBy(ENTRIES.launcher);
  const workers = loadedBy(...ENTRIES.workers);
  return (id) => {
    if (launcher.has(id)) return compose.has(id) ? 'launcher' : null;
    if (watch.has(id)) return compose.has(id) ? 'log' : null;
    // Most workers open no database.
    if (workers.has(id)) return compose.has(id) && !id.includes('/storage/') ? 'common' : null;
    if (start.has(id)) return compose.has(id) ? 'shared' : 'start';
    if (compose.has(id)) return 'core';
    if (run.has(id)) return 'run';
    return graphs.has(id) ? 'graphs' : null;
  };
}
