import { spawn } from 'node:child_process';
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
import { BlobStore } from '#main/sandbox/snapshots/blob-store.ts';
import { WorkspaceSnapshots } from '#main/sandbox/snapshots/workspace-snapshots.ts';
import type { SandboxService } from '#main/sandbox/types.ts';
import { UserEdits } from '#main/sandbox/user-edits.ts';
import { HostWorkspace } from '#main/sandbox/workspace/host-workspace.ts';
import { type DataStores, openStores } from '#main/storage/open-stores.ts';
import { defineTool } from '#main/tools/define-tool.ts';
import { DurableToolLedger } from '#main/tools/durable-ledger.ts';
import type { ToolCatalogue } from '#main/tools/tool-catalogue.ts';
import { ToolPipeline } from '#main/tools/tool-pipeline.ts';
import { testEgress } from '../fakes/egress.ts';
import { testGuards } from '../fakes/fake-guards.ts';
import { knownTools, memoryBroker, memoryRules } from '../fakes/fake-tools.ts';
import { straightTo } from '../fakes/straight-orchestrator.ts';
import { startEndpoint } from './core/endpoint.ts';
import { median } from './core/measure.ts';

/**
 * What snapshots cost, in a workspace of 1,000 files:
 *
 *   npm run bench snapshots
 *
 * An unchanged one beside a bare listing of its files and beside the first snapshot; a look for what others changed, as
 * each run begins with; and a tool round that
 * starts a program and changes a file, with snapshots and without. The model answers at once, which no
 * model does: what a snapshot takes is not hidden behind its thinking.
 */

const FOLDERS = 20;
const FILES_EACH = 50;
const FILE_BYTES = 4096;
const LOOKS = 60;
const ROUNDS = 60;
const REPEATS = 5;

function fill(dir: string): void {
  for (let folder = 0; folder < FOLDERS; folder += 1) {
    mkdirSync(join(dir, `folder-${folder}`), { recursive: true });
    for (let file = 0; file < FILES_EACH; file += 1) {
      const line = `line of file ${file} in folder ${folder}\n`;
      const content = line.repeat(Math.ceil(FILE_BYTES / line.length));
      writeFileSync(join(dir, `folder-${folder}`, `file-${file}.txt`), content);
    }
  }
}

function bareScan(dir: string): number {
  let seen = 0;
  for (const name of readdirSync(dir)) {
    const info = lstatSync(join(dir, name), { bigint: true });
    seen += 1;
    if (info.isDirectory()) seen += bareScan(join(dir, name));
  }
  return seen;
}

interface Bed {
  readonly stores: DataStores;
  readonly snapshots: WorkspaceSnapshots;
  readonly dir: (threadId: string) => string;
  close(): void;
}

function open(): Bed {
  const dataDir = mkdtempSync(join(tmpdir(), 'hyperagent-bench-'));
  const stores = openStores({
    ...{ dataDir, entryPoint: 'bench', readOnly: false, seal: null, onSecret: () => undefined },
    ...{ parseQuestion: (one: unknown) => one },
    ...{ clock: systemClock, logger: silentLogger },
  });
  const snapshots = new WorkspaceSnapshots({
    ...{ store: stores.snapshots, blobs: new BlobStore(stores.paths.snapshots) },
    ...{ workspaceDir: stores.paths.workspace, quiet: async () => undefined },
    ...{ settings: () => Settings.parse({}), clock: systemClock, logger: silentLogger },
  });
  return {
    ...{ stores, snapshots, dir: stores.paths.workspace },
    close: () => {
      stores.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function timed(work: () => unknown): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Milliseconds of a bare listing, of an unchanged snapshot, of a look, of one after a change, and of the first. */
async function looks() {
  const bed = open();
  bed.stores.runStores.threads.insert({ id: 'thr_1', title: 'Bench', createdAt: 1 });
  const dir = bed.dir('thr_1');
  fill(dir);
  const take = () =>
    bed.snapshots.take({
      ...{ threadId: 'thr_1', step: null, cause: 'step', persist: (work) => work() },
      signal: new AbortController().signal,
    });
  const first = await timed(take);
  // Files that were just made may change unseen; from here on all are old enough.
  await new Promise((resolve) => setTimeout(resolve, 100));
  await take();
  const bare: number[] = [];
  const same: number[] = [];
  const changed: number[] = [];
  const look: number[] = [];
  for (let i = 0; i < LOOKS; i += 1) {
    bare.push(await timed(() => bareScan(dir)));
    same.push(await timed(take));
    look.push(await timed(() => bed.snapshots.changedSinceNewest('thr_1')));
  }
  for (let i = 0; i < LOOKS; i += 1) {
    writeFileSync(join(dir, 'folder-3', 'changes.txt'), `${i}`.repeat(1000));
    changed.push(await timed(take));
  }
  bed.close();
  const medians = { bare: median(bare), same: median(same), changed: median(changed) };
  return { ...medians, look: median(look), first };
}

await using endpoint = await startEndpoint();

/** Milliseconds of each round, from one request to the next. */
async function roundsOf(withSnapshots: boolean): Promise<number[]> {
  const bed = open();
  const { stores, snapshots } = bed;
  let count = 0;
  const program = defineTool({
    name: 'program',
    category: 'data',
    description: 'Starts a program and changes a file',
    input: z.strictObject({}),
    risk: 'low',
    effect: 'opaque',
    run: async (_input, { sandbox: { workspace } }) => {
      await workspace.changes();
      await new Promise((resolve, reject) => {
        const child = spawn('/bin/echo', ['hello'], { stdio: 'ignore' });
        child.once('error', reject);
        child.once('exit', resolve);
      });
      count += 1;
      await workspace.write('changes.txt', `${count}`.repeat(1000));
      await workspace.changes();
      return { content: 'hello' };
    },
  });
  const settings = () => Settings.parse({ ollamaUrl: endpoint.url, maxRounds: 1000 });
  const known = knownTools([program]);
  const rules = memoryRules();
  const sandbox = {
    forTask: (threadId: string) => ({
      workspace: new HostWorkspace(bed.dir(threadId)),
      openNetwork: () => ({ [Symbol.dispose]: () => undefined }),
    }),
    warm: () => undefined,
    beginRun: async () => ({ programs: [], isKnown: true }),
    leaveRun: async () => ({ programs: [], isKnown: true }),
  } as unknown as SandboxService;
  const runs = new RunService({
    stores: stores.runStores,
    program: createAgentProgram({
      browsers: { leaveRun: () => undefined },
      pictures: new PictureStore(stores.paths.pictures, new PictureDecoder(process.cwd())),
      broker: memoryBroker(rules),
      egress: testEgress().egress,
      guards: testGuards(),
      level: () => null,
      edits: new UserEdits({ store: stores.userEdits, snapshots, isThere: async () => true }),
      orchestrator: straightTo(
        new Executor({
          catalogue: { forAgent: () => known } as unknown as ToolCatalogue,
          pipeline: new ToolPipeline({
            guards: testGuards(),
            ledger: new DurableToolLedger(stores.journal),
            standing: { rules: rules.list, level: () => null },
          }),
          ...{ checkpointer: stores.checkpointer, journal: stores.journal },
        }),
      ),
      models: createModelService({
        ...{ settings, readSecret: () => null, env: {}, memoryBytes: 16 * 1024 ** 3 },
        root: process.cwd(),
      }),
      ...{ settings, sandbox, ...(withSnapshots ? { snapshots } : {}) },
      transcript: new Transcript(stores.journal),
      ...{ summaries: stores.summaries, taints: stores.taints, journal: stores.journal },
      profiles: new ProfileRegistry(stores.profiles, systemClock),
      systemPrompt: 'You do what is asked, with tools.',
      checkPrompts: { secondOpinion: '', answer: '' },
      today: () => '2026-11-21',
    }),
    importAttachments: async (threadId) => {
      fill(bed.dir(threadId));
      return [];
    },
    removeWorkspace: async () => undefined,
    releaseReserve: () => undefined,
    hasOpenQuestions: () => false,
    ...{ clock: systemClock, logger: silentLogger },
  });
  endpoint.script(ROUNDS, { name: 'program', arguments: {} });
  const { run } = await runs.start({
    prompt: 'Go',
    attachments: [{ name: 'all', hostPath: '/dev/null' }],
    options: {
      ...{ mode: 'task', model: { provider: 'ollama', name: 'bench' }, sandbox: 'auto' },
      ...{ network: 'offline', allowHosts: [], approve: 'all', timeoutSeconds: null },
    },
  });
  const { status, error } = await runs.settled(run.id);
  if (status !== 'completed') throw new Error(`The run ended as ${status}: ${error?.message}`);
  const taken = snapshots.list(run.threadId).length;
  if (withSnapshots && taken < ROUNDS) throw new Error(`Only ${taken} snapshots were taken`);
  const at = endpoint.arrivals.map((arrival) => arrival.at);
  await runs.dispose();
  bed.close();
  // The first rounds wait for the first snapshot, which has all files to read.
  return at
    .slice(1)
    .map((time, i) => time - (at[i] ?? 0))
    .slice(5);
}

const seen = await looks();
const say = (what: string, one: number, other: number): void => {
  process.stdout.write(
    `${what.padEnd(62)} ${one.toFixed(2)} ms beside ${other.toFixed(2)} ms: ${(one / other).toFixed(2)} x\n`,
  );
};
say('an unchanged workspace of 1,000 files, and its bare listing', seen.same, seen.bare);
say('a look for what others changed, and the bare listing', seen.look, seen.bare);
say('one file of 1,000 changed, and the bare listing', seen.changed, seen.bare);
say('the first snapshot, and an unchanged one', seen.first, seen.same);
const on: number[] = [];
const off: number[] = [];
for (let i = 0; i < REPEATS; i += 1) {
  off.push(median(await roundsOf(false)));
  on.push(median(await roundsOf(true)));
}
say('a tool round that changes a file, with snapshots and without', median(on), median(off));
