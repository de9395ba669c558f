import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { startEndpoint } from './core/endpoint.ts';
import { type Measured, measure, median, prefixShare } from './core/measure.ts';

/**
 * What the headless core costs beside a bare Node loop, measured in turns in one run:
 *
 *   npm run bench core
 *
 * The floor makes the same HTTP calls and spawns the same commands, without log, state or sandbox.
 */

const REPEATS = 7;
const FEW = 5;
const MANY = 50;
const root = path.resolve(import.meta.dirname, '../..');
const dataDir = mkdtempSync(path.join(os.tmpdir(), 'hyperagent-bench-'));
await using endpoint = await startEndpoint();

const floor = [path.join(root, 'test/bench/floor.mjs'), endpoint.url];
const app = [
  ...[path.join(root, 'out/main/cli.js'), 'run', 'bench', '--model', 'ollama:bench'],
  ...['--base-url', endpoint.url, '--data-dir', dataDir, '--sandbox', 'os'],
  ...['--approve', 'all', '--json'],
];

/** A call that spawns, or runs in the sandbox; and one that neither does. */
const COMMAND = { name: 'shell_command', arguments: { command: 'echo hello' } };
const NO_COMMAND = { name: 'sandbox_file', arguments: { operation: 'list', path: '.' } };

interface Series {
  readonly runs: readonly Measured[];
  /** Marginal ms of one round, from the difference between many rounds and few. */
  readonly roundMs: number;
}

/** Both in turns, run by run, so that the same load of the machine is on both. */
async function inTurns(
  call: typeof COMMAND | typeof NO_COMMAND,
): Promise<{ readonly floor: Series; readonly app: Series }> {
  const runsOf = { floor: { few: [], many: [] }, app: { few: [], many: [] } } as Record<
    'floor' | 'app',
    Record<'few' | 'many', Measured[]>
  >;
  for (let i = 0; i < REPEATS; i += 1) {
    for (const [size, rounds] of [['few', FEW] as const, ['many', MANY] as const]) {
      for (const [who, args] of [['floor', floor] as const, ['app', app] as const]) {
        endpoint.script(rounds, call);
        runsOf[who][size].push(await measure(endpoint, args));
      }
    }
  }
  return { floor: toSeries(runsOf.floor), app: toSeries(runsOf.app) };
}

function toSeries({ few, many }: Readonly<Record<'few' | 'many', readonly Measured[]>>): Series {
  const loop = (runs: readonly Measured[]): number => median(runs.map((run) => run.loopMs));
  return { runs: [...few, ...many], roundMs: (loop(many) - loop(few)) / (MANY - FEW) };
}

function line(what: string, floorValue: number, appValue: number, goal: string): void {
  const ratio = (appValue / floorValue).toFixed(2);
  process.stdout.write(
    `${what.padEnd(44)} floor ${floorValue.toFixed(2).padStart(7)} ms   app ${appValue.toFixed(2).padStart(7)} ms   ${ratio} x   (goal ${goal})\n`,
  );
}

try {
  // A first start checks the isolation and fills the compile cache; it is shown apart.
  endpoint.script(1, COMMAND);
  const fresh = await measure(endpoint, app);

  const { floor: floorPlain, app: appPlain } = await inTurns(NO_COMMAND);
  const { floor: floorCommand, app: appCommand } = await inTurns(COMMAND);

  const first = (all: readonly Series[]): number =>
    median(all.flatMap((one) => one.runs.map((run) => run.firstRequestMs)));
  const floorFirst = first([floorPlain, floorCommand]);
  const appFirst = first([appPlain, appCommand]);
  line('process start to first model request', floorFirst, appFirst, '≤ 3.0 x');
  line('  the same, first start on a fresh folder', floorFirst, fresh.firstRequestMs, 'none');
  line('one round, no command', floorPlain.roundMs, appPlain.roundMs, 'none');
  line(
    'one round, command (app: warm sandbox, log on)',
    floorCommand.roundMs,
    appCommand.roundMs,
    '≤ 1.3 x',
  );

  const runs = [...appPlain.runs, ...appCommand.runs];
  const peak = Math.max(...runs.map((run) => run.peakMb ?? 0));
  const bytes = Buffer.byteLength(runs[0]?.bodies[0] ?? '');
  const share = runs.reduce((sum, run) => sum + prefixShare(run.bodies), 0) / runs.length;
  process.stdout.write(`peak memory (PSS)          ${peak.toFixed(1)} MB   (goal ≤ 120 MB)\n`);
  process.stdout.write(`first request              ${bytes} bytes   (goal ≤ 8192)\n`);
  process.stdout.write(`byte-identical prefix      ${share.toFixed(3)} of requests   (goal 1.0)\n`);
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
