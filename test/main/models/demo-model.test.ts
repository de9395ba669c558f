import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import type { ChatMessage, ChatModel, ToolCall } from '#main/models/types.ts';
import { createTestService, failureOf, send } from './harness.ts';

/** The demonstration. Its Python program really runs, in a folder of the test that stands for the workspace. */

const python = ['python3', 'python'].find((name) => {
  try {
    execFileSync(name, ['-c', 'import csv, zlib']);
    return true;
  } catch {
    return false;
  }
});
const withPython = test.skipIf(python === undefined);
const why = python === undefined ? ' (skipped: no Python here)' : '';

async function openDemo(): Promise<ChatModel> {
  return await createTestService().open(
    { provider: 'demo', name: 'scripted' },
    { signal: new AbortController().signal },
  );
}

async function createWorkspace(): Promise<string> {
  const dir = await mkdtemp(path.join(tmpdir(), 'demo-model-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

/** Runs the calls of the script, as far as the demonstration needs. */
async function runCall(call: ToolCall, workspace: string): Promise<string> {
  const args = call.arguments as Record<string, string>;
  if (call.name === 'sandbox_file') {
    await writeFile(path.join(workspace, args.path ?? ''), args.content ?? '');
    return `Wrote ${args.path}`;
  }
  const code = (args.code ?? '').replaceAll('/workspace/', `${workspace}/`);
  const run = promisify(execFile);
  const { stdout } = await run(python ?? '', ['-c', code], { cwd: workspace });
  return `Exit code 0.\n${stdout}`;
}

/** Plays a whole turn: the answers of the script, and every call it made. */
async function playTurn(
  prompt: string,
  workspace: string,
): Promise<{ answer: string; calls: ToolCall[] }> {
  await using model = await openDemo();
  const messages: ChatMessage[] = [{ role: 'user', content: prompt }];
  const calls: ToolCall[] = [];
  for (;;) {
    const { reply } = await send(model, { messages });
    const { content, reasoning, toolCalls } = reply;
    if (toolCalls.length === 0) return { answer: content, calls };
    messages.push({ role: 'assistant', content, reasoning, toolCalls });
    for (const call of toolCalls) {
      calls.push(call);
      const result = await runCall(call, workspace);
      messages.push({ role: 'tool', content: result, toolCallId: call.id, toolName: call.name });
    }
  }
}

async function isPng(file: string): Promise<boolean> {
  return (await readFile(file)).subarray(1, 4).toString() === 'PNG';
}

withPython(`an attached table is totalled by what was asked for, and drawn${why}`, async () => {
  const workspace = await createWorkspace();
  const rows = [
    'Region;Produkt;Umsatz',
    'Nord;A;1.234,50',
    '"Süd | West";B;2.000,00',
    'Nord;B;10,25',
  ];
  await writeFile(path.join(workspace, `o'dd "näme".csv`), `${rows.join('\n')}\n`);
  const prompt = `Total the sales by produkt and draw a chart

<context>
Today: 2026-11-21
Attached files:
- /workspace/notes.md (12 bytes)
- /workspace/o'dd "näme".csv (99 bytes)
</context>`;
  const { answer, calls } = await playTurn(prompt, workspace);
  expect(calls.map((call) => call.name)).toEqual(['execute_code']);
  expect(answer).toContain(
    [
      '| Produkt | Umsatz |',
      '| --- | ---: |',
      '| B | 2,010.25 |',
      '| A | 1,234.5 |',
      '| **Total** | **3,244.75** |',
    ].join('\n'),
  );
  expect(answer).toContain('a script answers here, not a model');
  expect(await isPng(path.join(workspace, 'chart.png'))).toBe(true);
});

withPython(`without a table it makes one of its own first${why}`, async () => {
  const workspace = await createWorkspace();
  const { answer, calls } = await playTurn('total the sales in this CSV by region', workspace);
  expect(calls.map((call) => call.name)).toEqual(['sandbox_file', 'execute_code']);
  expect(answer).toContain('| North | 4,440.7 |');
  expect(await isPng(path.join(workspace, 'chart.png'))).toBe(true);
});

test('any other request gets a tour, with a command that really runs', async () => {
  await using model = await openDemo();
  const user: ChatMessage = { role: 'user', content: 'Write me a poem' };
  const { reply } = await send(model, { messages: [user] });
  expect(reply.content).toContain('a script answers here, not a model');
  expect(reply.toolCalls.map((call) => call.name)).toEqual(['shell_command']);
  const [call] = reply.toolCalls;
  const { reply: last } = await send(model, {
    messages: [
      user,
      { role: 'assistant', content: reply.content, toolCalls: reply.toolCalls },
      {
        role: 'tool',
        content: 'Hello from inside',
        toolCallId: call?.id ?? '',
        toolName: 'shell_command',
      },
    ],
  });
  expect(last.content).toContain('Hello from inside');
  expect(last.content).toContain('ollama pull');
});

test('a call that failed or was denied is reported as it is', async () => {
  await using model = await openDemo();
  const { reply } = await send(model, {
    messages: [
      { role: 'user', content: 'Draw a chart' },
      {
        role: 'assistant',
        content: '',
        toolCalls: [{ id: 'a', name: 'execute_code', arguments: {} }],
      },
      { role: 'tool', content: 'Denied by the user', toolCallId: 'a', toolName: 'execute_code' },
    ],
  });
  expect([reply.content, reply.toolCalls]).toEqual([
    expect.stringContaining('Denied by the user'),
    [],
  ]);
});

test('a conversation that the script does not know is an error, not an invention', async () => {
  await using model = await openDemo();
  const failure = await failureOf(send(model, { messages: [{ role: 'user', content: ' ' }] }));
  expect([failure.code, failure.message]).toEqual([
    'SCRIPT_EXHAUSTED',
    expect.stringContaining('ollama pull'),
  ]);
});
