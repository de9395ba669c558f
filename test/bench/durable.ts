import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunnableConfig } from '@langchain/core/runnables';
import {
  BaseCheckpointSaver,
  type Checkpoint,
  type CheckpointTuple,
  type PendingWrite,
} from '@langchain/langgraph-checkpoint';
import BetterSqlite3 from 'better-sqlite3';
import { z } from 'zod';
import { Settings } from '#contract/settings.ts';
import { Executor } from '#main/agents/executor.ts';
import { Transcript } from '#main/agents/transcript.ts';
import { systemClock } from '#main/base/clock.ts';
import { silentLogger } from '#main/base/logger.ts';
import { createModelService } from '#main/models/model-service.ts';
import { ProfileRegistry } from '#main/models/profiles/profile-registry.ts';
import { PictureDecoder } from '#main/pictures/picture-decoder.ts';
import { PictureStore } from '#main/pictures/picture-store.ts';
import { createAgentProgram } from '#main/run/agent-program.ts';
import { RunService } from '#main/run/run-service.ts';
import type { SandboxService } from '#main/sandbox/types.ts';
import { UserEdits } from '#main/sandbox/user-edits.ts';
import { dataPaths } from '#main/storage/data-paths.ts';
import { openStores } from '#main/storage/open-stores.ts';
import type { CommitStep } from '#main/storage/types.ts';
import { defineTool } from '#main/tools/define-tool.ts';
import { DurableToolLedger } from '#main/tools/durable-ledger.ts';
import type { ToolCatalogue } from '#main/tools/tool-catalogue.ts';
import { ToolPipeline } from '#main/tools/tool-pipeline.ts';
import { testEgress } from '../fakes/egress.ts';
import { testGuards } from '../fakes/fake-guards.ts';
import { knownTools, memoryBroker, memoryRules, noLedger } from '../fakes/fake-tools.ts';
import { straightTo } from '../fakes/straight-orchestrator.ts';
import { startEndpoint } from './core/endpoint.ts';
import { median } from './core/measure.ts';

/**
 * What a tool round costs with ledger and checkpointer, beside the same round with neither, measured in
 * turns in one run; whether the 400th round costs more than the 5th; and what a round leaves in the database:
 *
 *   npm run bench durable
 *
 * A round is a request to a model server over HTTP, the start of a program, and the event log on disk.
 */

const ROUNDS = 420;
const REPEATS = 5;
/** Of the run whose size is measured: its conversation stays far below the model's window. */
const SIZED_ROUNDS = 60;

/** Keeps nothing. */
class NullSaver extends BaseCheckpointSaver {
  readonly #commit: CommitStep;
  constructor(commit: CommitStep) {
    super();
    this.#commit = commit;
  }
  override async getTuple(): Promise<CheckpointTuple | undefined> {
    return undefined;
  }
  override async *list(): AsyncGenerator<CheckpointTuple> {
    // There are none.
  }
  override async put(config: RunnableConfig, { id }: Checkpoint): Promise<RunnableConfig> {
    return { configurable: { ...config.configurable, checkpoint_id: id } };
  }
  override async putWrites(config: RunnableConfig, writes: PendingWrite[]): Promise<void> {
    const isResult = writes.some(([channel]) => channel === '__return__');
    this.#commit(String(config.configurable?.thread_id), () => undefined, { isResult });
  }
  override async deleteThread(): Promise<void> {
    // Nothing is kept.
  }
}

/** What is stored of the rounds of runs, besides their events. Versions before 10 had more tables. */
const TABLES = [
  ...['run_journal', 'round_answers', 'checkpoints', 'checkpoint_values', 'checkpoint_writes'],
  ...['transcript', 'tool_ledger', 'run_states', 'skill_journal'],
];

interface Size {
  readonly rows: number;
  readonly bytes: number;
}

const NOTHING: Size = { rows: 0, bytes: 0 };

/** Rows of these tables, and bytes of the pages that they and their indexes have. */
function sizeOf(dataDir: string): Size {
  const database = new BetterSqlite3(dataPaths(dataDir).database, { readonly: true });
  const size = { rows: 0, bytes: 0 };
  for (const table of TABLES) {
    const parts = database
      .prepare<[string], { name: string }>('SELECT name FROM sqlite_schema WHERE tbl_name = ?')
      .all(table);
    if (parts.length === 0) continue;
    size.rows += Number(database.prepare(`SELECT count(*) FROM ${table}`).pluck().get());
    for (const { name } of parts) {
      const pages = database.prepare('SELECT sum(pgsize) FROM dbstat WHERE name = ?').pluck();
      size.bytes += Number(pages.get(name));
    }
  }
  database.close();
  return size;
}

/** What the program gives. */
let output = 'hello';
/** Called at each start of the program. */
let onProgram: () => void = () => undefined;

const program = defineTool({
  name: 'program',
  category: 'data',
  description: 'Starts a program',
  input: z.strictObject({}),
  risk: 'low',
  effect: 'opaque',
  run: () =>
    new Promise((resolve, reject) => {
      onProgram();
      const child = spawn('/bin/echo', ['hello'], { stdio: 'ignore' });
      child.once('error', reject);
      child.once('exit', () => resolve({ content: output }));
    }),
});

await using endpoint = await startEndpoint();

/** What the rounds of the last run left in the database, in its last round and after its end. */
let sizes = { during: NOTHING, after: NOTHING };

/** Milliseconds of each round, from one request to the next. */
async function roundsOf(isDurable: boolean, rounds = ROUNDS): Promise<number[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'hyperagent-bench-'));
  let started = 0;
  let during = NOTHING;
  onProgram = () => {
    started += 1;
    if (started === rounds - 1) during = sizeOf(dataDir);
  };
  const stores = openStores({
    ...{ dataDir, entryPoint: 'bench', readOnly: false, seal: null, onSecret: () => undefined },
    ...{ parseQuestion: (one: unknown) => one },
    ...{ clock: systemClock, logger: silentLogger },
  });
  const settings = () => Settings.parse({ ollamaUrl: endpoint.url, maxRounds: 1000 });
  const known = knownTools([program]);
  const rules = memoryRules();
  const executor = new Executor({
    catalogue: { forAgent: () => known } as unknown as ToolCatalogue,
    pipeline: new ToolPipeline({
      guards: testGuards(),
      ledger: isDurable ? new DurableToolLedger(stores.journal) : noLedger,
      standing: { rules: rules.list, level: () => null },
    }),
    checkpointer: isDurable ? stores.checkpointer : async (commit) => new NullSaver(commit),
    journal: isDurable ? stores.journal : { ...stores.journal, append: () => undefined },
  });
  const agent = createAgentProgram({
    browsers: { leaveRun: () => undefined },
    pictures: new PictureStore(stores.paths.pictures, new PictureDecoder(process.cwd())),
    broker: memoryBroker(rules),
    guards: testGuards(),
    level: () => null,
    edits: new UserEdits({
      store: stores.userEdits,
      snapshots: { changedSinceNewest: async () => [] },
      isThere: async () => true,
    }),
    orchestrator: straightTo(executor),
    models: createModelService({
      ...{ settings, readSecret: () => null, env: {}, memoryBytes: 16 * 1024 ** 3 },
      root: process.cwd(),
    }),
    settings,
    egress: testEgress().egress,
    sandbox: {
      forTask: () => ({ openNetwork: () => ({ [Symbol.dispose]: () => undefined }) }),
      warm: () => undefined,
      beginRun: async () => ({ programs: [], isKnown: true }),
      leaveRun: async () => ({ programs: [], isKnown: true }),
    } as unknown as SandboxService,
    ...{
      transcript: new Transcript(stores.journal),
      summaries: stores.summaries,
      taints: stores.taints,
      journal: stores.journal,
    },
    profiles: new ProfileRegistry(stores.profiles, systemClock),
    systemPrompt: 'You do what is asked, with tools.',
    checkPrompts: { secondOpinion: '', answer: '' },
    today: () => '2026-11-21',
  });
  const runs = new RunService({
    stores: stores.runStores,
    // Without a ledger nothing waits for the disk: rows go with the next frame of the log.
    program: (context) => agent(isDurable ? context : { ...context, commit: (work) => work() }),
    importAttachments: async () => [],
    removeWorkspace: async () => undefined,
    releaseReserve: () => undefined,
    hasOpenQuestions: () => false,
    clock: systemClock,
    logger: silentLogger,
  });
  endpoint.script(rounds, { name: 'program', arguments: {} });
  const { run } = await runs.start({
    prompt: 'Go',
    attachments: [],
    options: {
      ...{ mode: 'task', model: { provider: 'ollama', name: 'bench' }, sandbox: 'auto' },
      ...{
        network: 'offline',
        allowHosts: [],
        executionMode: 'standard',
        approve: 'all',
        timeoutSeconds: null,
      },
    },
  });
  const { status, error } = await runs.settled(run.id);
  if (status !== 'completed') throw new Error(`The run ended as ${status}: ${error?.message}`);
  const at = endpoint.arrivals.map((arrival) => arrival.at);
  sizes = { during, after: sizeOf(dataDir) };
  await runs.dispose();
  stores.close();
  rmSync(dataDir, { recursive: true, force: true });
  return at.slice(1).map((time, i) => time - (at[i] ?? 0));
}

const durable: number[][] = [];
const plain: number[][] = [];
for (let i = 0; i < REPEATS; i += 1) {
  plain.push(await roundsOf(false));
  durable.push(await roundsOf(true));
}
const typical = (series: readonly number[][]): number =>
  median(series.map((rounds) => median(rounds.slice(10))));
const around = (round: number): number =>
  median(durable.flatMap((rounds) => rounds.slice(round - 5, round + 15)));
const say = (what: string, one: number, other: number, goal: string): void => {
  process.stdout.write(
    `${what.padEnd(52)} ${one.toFixed(2)} ms beside ${other.toFixed(2)} ms: ${(one / other).toFixed(2)} x   (goal ${goal})\n`,
  );
};
say(
  'a round with ledger and checkpointer, and without',
  typical(durable),
  typical(plain),
  '≤ 1.5 x',
);
say('the 400th round, and the 5th', around(400), around(5), '≤ 1.2 x');
for (const length of [5, 500]) {
  output = 'x'.repeat(length);
  await roundsOf(true, SIZED_ROUNDS);
  const show = ({ rows, bytes }: Size): string =>
    `${(rows / SIZED_ROUNDS).toFixed(2)} rows, ${(bytes / SIZED_ROUNDS).toFixed(0)} bytes`;
  process.stdout.write(
    `a round with a result of ${String(length).padStart(4)} characters: ${show(sizes.during)}; after the end of its run ${show(sizes.after)}\n`,
  );
}
