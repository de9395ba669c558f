import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { openConnectorBench } from '../fakes/connectors/connector-bench.ts';
import { openData } from '../fakes/open-data.ts';

/**
 * A call of a connector in its sandbox beside the same call by a bare client of the same server, and whether ten
 * connectors slow the start of the app:
 *
 *   npm run bench mcp
 */
const MODULES = join(import.meta.dirname, '../../node_modules');
const SERVER = join(MODULES, '@modelcontextprotocol/server-everything/dist/index.js');
const CALLS = 300;
const STARTS = 5;

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const ms = (value: number): string => `${value.toFixed(1)} ms`;

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function calls(): Promise<void> {
  await using bench = await openConnectorBench({ sandboxed: true, limits: {} });
  const connector = await bench.program('everything', {
    args: [SERVER],
    folders: [{ path: MODULES, access: 'read' }],
  });
  // The first start also checks the isolation of the sandbox.
  await bench.approveAll(connector);
  const restart = (): Promise<unknown> =>
    bench.connectors.restart(connector.id, AbortSignal.timeout(60_000));
  const client = new Client({ name: 'bare', version: '1.0.0' });
  const connect = (): Promise<void> =>
    client.connect(new StdioClientTransport({ command: process.execPath, args: [SERVER] }));
  const starts = { ours: [] as number[], bare: [] as number[] };
  for (let i = 0; i < STARTS; i += 1) {
    starts.ours.push(await timed(restart));
    const other = new Client({ name: 'bare', version: '1.0.0' });
    const transport = new StdioClientTransport({ command: process.execPath, args: [SERVER] });
    starts.bare.push(await timed(() => other.connect(transport)));
    await other.close();
  }
  await connect();
  const given = { message: 'tea' };
  const ours = (): Promise<unknown> => bench.call(connector, 'echo', given);
  const bare = (): Promise<unknown> => client.callTool({ name: 'echo', arguments: given });
  const times = { ours: [] as number[], bare: [] as number[] };
  for (let i = 0; i < CALLS; i += 1) {
    times.ours.push(await timed(ours));
    times.bare.push(await timed(bare));
  }
  await client.close();
  const ratio = (pair: typeof times): string =>
    `${ms(median(pair.ours))} beside ${ms(median(pair.bare))} (${(median(pair.ours) / median(pair.bare)).toFixed(2)} x)`;
  say(`start of a server, in its sandbox beside bare: ${ratio(starts)}`);
  say(`a call, through the sandbox beside bare: ${ratio(times)}`);
}

/** The start of the app in a process of its own, with so many connectors. */
async function appStart(count: number): Promise<number> {
  const dataDir = mkdtempSync(join(tmpdir(), 'hyperagent-mcp-bench-'));
  const data = openData(dataDir);
  const text = JSON.stringify({ name: 't', inputSchema: { type: 'object' } });
  for (let i = 0; i < count; i += 1) {
    const config = { kind: 'program', command: 'node', args: [], env: [], folders: [], hosts: [] };
    const { id } = data.connectors.add(`server-${i}`, config as never, {});
    const tool = { now: text, isGone: false, approved: text, isEnabled: true, isRepeatable: false };
    data.connectors.putTools(
      id,
      Array.from({ length: 20 }, (_, at) => ({ ...tool, name: `tool-${at}` })),
    );
  }
  data.close();
  const script = `
    const { compose } = await import(${JSON.stringify(join(import.meta.dirname, '../../src-main/compose.ts'))});
    const start = performance.now();
    const app = await compose({ dataDir: ${JSON.stringify(dataDir)}, entryPoint: 'terminal', attended: false, readOnly: false, seal: null });
    process.stdout.write(String(performance.now() - start));
    await app[Symbol.asyncDispose]();
    process.exit(0);`;
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', script], {
    cwd: join(import.meta.dirname, '../..'),
  });
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString('utf8');
  });
  await new Promise((resolve) => child.once('close', resolve));
  rmSync(dataDir, { recursive: true, force: true });
  return Number(out);
}

await calls();
const without: number[] = [];
const withTen: number[] = [];
for (let i = 0; i < STARTS; i += 1) {
  without.push(await appStart(0));
  withTen.push(await appStart(10));
}
say(
  `start of the app with 10 connectors of 20 tools beside none: ${ms(median(withTen))} beside ${ms(median(without))} (${(median(withTen) / median(without)).toFixed(2)} x)`,
);
process.exit(0);
