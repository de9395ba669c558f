import { cpus } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import {
  driveHostile,
  HOSTILE_CASES,
  type HostileCase,
  needsSandbox,
} from '../fakes/connectors/drive-hostile.ts';

/**
 * Servers that another wrote to break or misuse the client, each against the app's own client; those that try to get
 * out of a sandbox in bubblewrap:
 *
 *   npm run bench mcp-hostile [CASE…]
 */
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const wanted = process.argv.slice(2);
const cases = HOSTILE_CASES.filter(({ id }) => wanted.length === 0 || wanted.includes(id));
const kinds = new Map<string, { held: number; all: number }>();
const delay = monitorEventLoopDelay({ resolution: 20 });
delay.enable();

async function drive(one: HostileCase): Promise<void> {
  const { steps, failures } = await driveHostile(one, needsSandbox(one));
  const kind = kinds.get(one.kind) ?? { held: 0, all: 0 };
  kinds.set(one.kind, {
    held: kind.held + (failures.length === 0 ? 1 : 0),
    all: kind.all + 1,
  });
  if (failures.length === 0 && wanted.length === 0) return;
  say(`${failures.length === 0 ? 'held' : 'NOT HELD'}: ${one.id}: ${failures.join('; ')}`);
  say(`  must: ${one.must}`);
  for (const { step, code, text } of steps) say(`  ${step}: ${code ?? 'ok'} ${text.slice(0, 200)}`);
}

const next = cases.values();
const work = async (): Promise<void> => {
  for (const one of next) await drive(one);
};
await Promise.all(Array.from({ length: Math.max(2, cpus().length) }, work));
for (const [kind, { held, all }] of [...kinds].sort()) say(`${kind}: ${held} of ${all} held`);
const all = [...kinds.values()];
const sum = (of: 'held' | 'all'): number => all.reduce((total, one) => total + one[of], 0);
say(`all: ${sum('held')} of ${sum('all')} held`);
say(
  `longest the event loop was held: ${Math.round(delay.max / 1e6)} ms (with the bench's own work)`,
);
say(`memory at the end: ${Math.round(process.memoryUsage().rss / 1024 / 1024)} MB`);
process.exit(sum('held') === sum('all') ? 0 : 1);
