import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { startAnswering } from '../fakes/model-server/answering.ts';
import type { WireStepInput } from '../fakes/model-server/options.ts';
import type { FakeModelServer } from '../fakes/model-server/server.ts';
import { openData } from '../fakes/open-data.ts';
import { CLI, ensureBuilt, runTerminal } from '../setup/built-app.ts';
import { osSandboxNote, osSandboxReady } from '../setup/os-sandbox.ts';

/** The built CLI as an MCP server, used by the official client over its standard input and output. */

interface RunState {
  readonly run_id: string;
  readonly thread_id: string;
  readonly status: string;
  readonly answer?: string;
  readonly questions?: readonly { interrupt_id: string; kind: string; arguments?: string }[];
  readonly code?: string;
  readonly message?: string;
}

let dataDir: string;
let server: FakeModelServer | undefined;
let client: Client | undefined;
let stderr = '';

beforeAll(() => ensureBuilt());
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'hyperagent-mcp-serve-'));
});
afterEach(async () => {
  await client?.close();
  await server?.close();
  rmSync(dataDir, { recursive: true, force: true });
  expect(stderr).toBe('');
});

/** A model that answers so, the app on it as a server, and a client of that. */
async function serve(answers: WireStepInput[][], ...flags: string[]): Promise<void> {
  server = await startAnswering(dataDir, answers);
  const data = openData(dataDir);
  data.settings.update({
    model: { provider: 'ollama', name: 'x' },
    policyLevel: 'ask_every_time',
    sandbox: 'os',
  });
  data.close();
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [CLI, 'mcp', 'serve', '--data-dir', dataDir, ...flags],
    stderr: 'pipe',
  });
  stderr = '';
  transport.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString('utf8');
  });
  client = new Client({ name: 'test', version: '1' });
  await mcp().connect(transport);
}

function mcp(): Client {
  if (client === undefined) throw new Error('No client');
  return client;
}

async function call(name: string, args: Record<string, unknown>): Promise<RunState> {
  const { structuredContent } = await mcp().callTool({ name, arguments: args });
  return structuredContent as unknown as RunState;
}

const terminal = (...args: string[]) => runTerminal([...args, '--data-dir', dataDir]);
const tool = (name: string, args: object): WireStepInput => ({
  call: { name, arguments: { ...args } },
});
const ASKS: WireStepInput[][] = [
  [tool('ask_user', { question: 'Which colour?' })],
  [{ text: 'Blue it is.' }],
];
const WRITES: WireStepInput[][] = [
  [tool('shell_command', { command: 'echo x > note.txt' })],
  [{ text: 'Written.' }],
];

it('runs a task, goes on with it, and lists it', async () => {
  await serve([[{ text: 'Hello.' }]]);
  const { tools } = await mcp().listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    ...['run_task', 'get_run', 'list_runs', 'answer_question', 'cancel_run'],
  ]);
  const first = await call('run_task', { prompt: 'Say hello' });
  expect(first).toMatchObject({ status: 'completed', answer: 'Hello.' });
  const second = await call('run_task', { prompt: 'Again', thread_id: first.thread_id });
  expect(second.thread_id).toBe(first.thread_id);
  const { structuredContent } = await mcp().callTool({ name: 'list_runs', arguments: {} });
  expect(structuredContent).toMatchObject({
    runs: [
      { run_id: second.run_id, thread_id: first.thread_id },
      { run_id: first.run_id, title: 'Say hello', status: 'completed' },
    ],
  });
  expect(await call('get_run', { run_id: first.run_id })).toMatchObject({ answer: 'Hello.' });
});

it('answers a question of the agent, and nothing that permits', async () => {
  await serve(ASKS);
  const asked = await call('run_task', { prompt: 'Paint it' });
  const [question] = asked.questions ?? [];
  expect([asked.status, question?.kind]).toEqual(['waiting', 'input']);
  const answer = { run_id: asked.run_id, interrupt_id: question?.interrupt_id };
  const ended = await call('answer_question', { ...answer, answer: 'input:blue' });
  expect(ended).toMatchObject({ status: 'completed', answer: 'Blue it is.' });
  expect(await call('answer_question', { ...answer, answer: 'input:red' })).toMatchObject({
    code: 'NOT_FOUND',
  });
});

it.skipIf(!osSandboxReady)(
  `leaves approvals to the user, who has the data folder for that${osSandboxNote}`,
  async () => {
    await serve(WRITES);
    const asked = await call('run_task', { prompt: 'Write it' });
    const [question] = asked.questions ?? [];
    expect([asked.status, question?.kind]).toEqual(['waiting', 'approval']);
    expect(question?.arguments).toBe('{"command":"echo x > note.txt"}');
    const answer = { run_id: asked.run_id, interrupt_id: question?.interrupt_id };
    for (const text of [
      'approve',
      'confirm',
      'select:approve',
      'skip',
      'modify:{"command":"id"}',
    ]) {
      const refused = await call('answer_question', { ...answer, answer: text });
      expect([text, refused.code]).toEqual([text, 'UNAUTHORIZED']);
    }
    expect(await call('get_run', { run_id: asked.run_id })).toMatchObject({ status: 'waiting' });

    const resumed = await terminal(
      'resume',
      asked.run_id,
      '--respond',
      `${answer.interrupt_id}=approve`,
    );
    expect([resumed.code, resumed.stderr]).toEqual([0, '']);
    expect(await call('get_run', { run_id: asked.run_id })).toMatchObject({ answer: 'Written.' });
  },
);

it.skipIf(!osSandboxReady)(
  `lets the caller approve if the user started it so${osSandboxNote}`,
  async () => {
    await serve(WRITES, '--allow-approvals');
    const asked = await call('run_task', { prompt: 'Write it' });
    const interrupt_id = asked.questions?.[0]?.interrupt_id;
    const ended = await call('answer_question', {
      run_id: asked.run_id,
      interrupt_id,
      answer: 'approve',
    });
    expect(ended).toMatchObject({ status: 'completed', answer: 'Written.' });
  },
);

it('cancels a run, and says what is wrong with a call', async () => {
  await serve(ASKS);
  const asked = await call('run_task', { prompt: 'Paint it' });
  expect(await call('cancel_run', { run_id: asked.run_id })).toMatchObject({ status: 'cancelled' });
  expect(await call('get_run', { run_id: 'run_none' })).toMatchObject({ code: 'NOT_FOUND' });
  expect(await call('cancel_run', { run_id: 'run_none' })).toMatchObject({ code: 'NOT_FOUND' });
});

it('looks and answers beside a process that has the data folder, and starts nothing there', async () => {
  await serve(ASKS);
  const asked = await call('run_task', { prompt: 'Paint it' });
  const interrupt_id = asked.questions?.[0]?.interrupt_id;
  const owner = openData(dataDir);
  const refused = await call('run_task', { prompt: 'Another' });
  expect(refused.code).toBe('DATA_DIR_IN_USE');
  expect(refused.message).toContain(String(process.pid));
  const given = { run_id: asked.run_id, interrupt_id, answer: 'input:blue', wait_seconds: 0 };
  const answered = await call('answer_question', given);
  expect([answered.status, answered.questions]).toEqual(['waiting', undefined]);
  owner.close();

  const resumed = await terminal('resume', asked.run_id);
  expect([resumed.code, resumed.stderr]).toEqual([0, '']);
  expect(resumed.stdout).toContain('Blue it is.');
});

it('survives lines that are no messages, and ends with its input', async () => {
  await serve([[{ text: 'Hello.' }]]);
  const child = spawn(process.execPath, [CLI, 'mcp', 'serve', '--data-dir', dataDir]);
  const lines: string[] = [];
  child.stdout.on('data', (chunk: Buffer) => lines.push(...chunk.toString().trim().split('\n')));
  const ping = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'ping' });
  child.stdin.end(`not json\n[]\n{"jsonrpc":"2.0"}\n${ping}\n`);
  const [code] = (await once(child, 'close')) as [number | null];
  expect(code).toBe(0);
  expect(lines.map((line) => (JSON.parse(line) as { jsonrpc: string }).jsonrpc)).toContain('2.0');
});
