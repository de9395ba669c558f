/**
 * The parts of `npm test`: which files belong to each, how they run, and the CPU seconds that each may
 * take. A budget is what was measured on two cores plus a tenth; the end of a run prints what each part
 * took beside it. A change that needs more raises the number here, where a reviewer sees it.
 */
export interface Suite {
  readonly name: string;
  readonly include: readonly string[];
  readonly exclude?: readonly string[];
  /**
   * `shared`: the files of a worker share their modules, which is fast; each leaves the process as it
   * found it. `own`: each file has a process of its own, which may be killed, filled or renamed, and in
   * which Node runs the files as they are, so that modules cannot be replaced by name.
   */
  readonly process: 'shared' | 'own';
  readonly globalSetup?: readonly string[];
  /** CPU seconds of the files and of the processes that they started. */
  readonly budget: number;
}

/** Unit tests that start sandboxes, servers, threads or processes of their own. */
const PROCESSES: readonly string[] = [
  'test/main/cli/{cli,launch,man-page,plan-commands,reports,search-command,skill-commands}.test.ts',
  'test/main/cli/completion/**/*.test.ts',
  'test/main/browser/**/*.test.ts',
  'test/main/{base/running-time,run/full-disk,run/run-log,run/run-snapshots}.test.ts',
  'test/main/{documents,library,main-loop,scans}/**/*.test.ts',
  'test/main/models/{embedded/embedded-runtime,hostile-servers}.test.ts',
  'test/main/sandbox/**/*.test.ts',
  'test/main/slides/{decks,slide-service,write-pptx}.test.ts',
  'test/main/skills/{builtin,dynamic}/**/*.test.ts',
  'test/main/storage/{full-disk,migration-kills,open-database,processes,restore-database,damaged-database}.test.ts',
  'test/main/tools/{durable-ledger,execute-script,read-document}.test.ts',
  'test/main/web/**/*.test.ts',
  'test/scripts/miniwob.test.ts',
];

/** What needs a Docker engine and the image of the sandbox: run last, when the image is built. */
const DOCKER: readonly string[] = [
  'test/**/*.docker.test.ts',
  'test/main/sandbox/{docker-engine,killed-app}.test.ts',
];

/** Runs that are killed, on disks that may fail. */
const KILLS: readonly string[] = [
  'test/integration/{kills,browser-kills,faults,stored-lives}.test.ts',
];

export const SUITES: readonly Suite[] = [
  {
    name: 'unit',
    include: ['test/{boundary,main,renderer,scripts}/**/*.test.ts'],
    exclude: [...PROCESSES, ...DOCKER],
    process: 'shared',
    budget: 122,
  },
  { name: 'processes', include: PROCESSES, exclude: DOCKER, process: 'own', budget: 738 },
  {
    name: 'integration',
    include: ['test/{conformance,integration}/**/*.test.ts'],
    exclude: [...KILLS, ...DOCKER],
    process: 'own',
    budget: 438,
  },
  { name: 'kills', include: KILLS, process: 'own', budget: 232 },
  { name: 'docker', include: DOCKER, process: 'own', budget: 15 },
  {
    name: 'window',
    include: ['test/e2e/**/*.test.ts'],
    process: 'shared',
    globalSetup: ['test/setup/window-server.ts'],
    budget: 850,
  },
];

/** A minute and more each: begun last, they would run alone at the end. */
export const LONG_FILES: readonly string[] = [
  'test/integration/kills.test.ts',
  'test/e2e/renderer-accessibility.test.ts',
  'test/e2e/xss.test.ts',
  'test/e2e/renderer-skills-accessibility.test.ts',
  'test/integration/terminal-durable.test.ts',
  'test/main/cli/cli.test.ts',
  'test/main/models/embedded/embedded-runtime.test.ts',
];
