import { mkdtempSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WireStepInput } from '../fakes/model-server/options.ts';
import { startModelServer } from '../fakes/model-server/server.ts';
import { ensureBuilt, eventsOf, runTerminal } from '../setup/built-app.ts';
import { osSandboxNote, osSandboxReady } from '../setup/os-sandbox.ts';
import { removeFolder } from '../setup/remove-folder.ts';

/** Bad input and bad servers at the built CLI: each has its own clear end. */

let dir: string;

beforeAll(() => {
  ensureBuilt();
  dir = mkdtempSync(join(tmpdir(), 'hyperagent-failures-'));
});

afterAll(() => removeFolder(dir));

async function runAt(url: string, model = 'ollama:x') {
  const result = await runTerminal([
    ...['run', 'Do it', '--model', model, '--base-url', url, '--json', '--approve', 'all'],
    ...['--sandbox', 'os', '--data-dir', join(dir, 'data')],
  ]);
  return { ...result, all: result.events() };
}

/** A server whose only model answers with these steps, and with `next` to what follows. */
const scripted = (steps: WireStepInput[], next: WireStepInput[] = [{ text: 'Well.' }]) =>
  startModelServer({
    models: [
      { name: 'x', capabilities: ['completion', 'tools'] },
      { name: 'mute', capabilities: ['completion'] },
    ],
    turns: [{ steps }, { steps: next }],
  });

/** How a run that failed ends: one error as its last event, exit code 1, nothing on standard error. */
function expectFailure(result: Awaited<ReturnType<typeof runAt>>, code: string): void {
  const errors = eventsOf(result.all, 'error');
  expect({ exit: result.code, codes: errors.map((error) => error.code) }).toEqual({
    exit: 1,
    codes: [code],
  });
  expect(errors[0]?.message.length).toBeGreaterThan(20);
  expect(result.all.at(-1)?.type).toBe('error');
  expect(result.all.map(({ seq }) => seq)).toEqual(result.all.map((_, i) => i + 1));
}

describe('a model server that', () => {
  it('is not there', async () => {
    expectFailure(await runAt('http://127.0.0.1:9'), 'MODEL_SERVER_UNREACHABLE');
  });

  it('has no such model', async () => {
    await using server = await scripted([]);
    expectFailure(await runAt(server.url, 'ollama:y'), 'MODEL_NOT_FOUND');
  });

  it('has a model without tools: it is told of them in words, and works', async () => {
    await using server = await scripted([{ text: 'Hello.' }]);
    const { code, all } = await runAt(server.url, 'ollama:mute');
    const [request] = server.recording.to('/api/chat');
    const body = request?.json as { tools?: unknown; messages: { content: string }[] };
    expect([code, eventsOf(all, 'complete')[0]?.answer, body.tools]).toEqual([
      0,
      'Hello.',
      undefined,
    ]);
    expect(body.messages[0]?.content).toContain('"name":"execute_code"');
  });

  it('is a web page', async () => {
    const page = createServer((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/html' });
      response.end('<!doctype html><title>Router</title>');
    });
    await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve));
    const { port } = page.address() as AddressInfo;
    const result = await runAt(`http://127.0.0.1:${port}`);
    page.close();

    expectFailure(result, 'MODEL_NOT_A_MODEL_SERVER');
  });

  it.each([
    [
      'resets the connection in mid-answer',
      // With a pause, for a reset also takes back what the client has not read yet.
      [{ text: 'Half of an ' }, { delay: 100 }, { reset: true }],
    ],
    ['stops without a closing message', [{ text: 'Half of an ' }, { cut: true }]],
    ['sends an error in mid-answer', [{ text: 'Half of an ' }, { error: 'out of memory' }]],
  ] as [string, WireStepInput[]][])('%s', async (_what, steps) => {
    await using server = await scripted(steps);
    const result = await runAt(server.url);

    expectFailure(result, 'MODEL_STREAM_BROKEN');
    expect(
      eventsOf(result.all, 'token')
        .map(({ text }) => text)
        .join(''),
    ).toContain('Half of an');
  });
});

describe.skipIf(!osSandboxReady)(`a call that cannot run${osSandboxNote}`, () => {
  it.each([
    ['has an unknown name', { name: 'launch_rocket', arguments: {} }, 'TOOL_UNKNOWN'],
    [
      'lacks an argument',
      { name: 'execute_code', arguments: { language: 'python' } },
      'TOOL_ARGUMENTS_INVALID',
    ],
    [
      'has an argument too many',
      { name: 'shell_command', arguments: { command: 'true', sudo: true } },
      'TOOL_ARGUMENTS_INVALID',
    ],
  ])('because it %s is told to the model', async (_what, call, errorCode) => {
    await using server = await scripted([{ call }]);
    const result = await runAt(server.url);

    expect(result.code).toBe(0);
    expect(eventsOf(result.all, 'tool_result')).toMatchObject([{ status: 'error', errorCode }]);
    expect(eventsOf(result.all, 'terminal_command')).toEqual([]);
    expect(eventsOf(result.all, 'complete')).toMatchObject([{ answer: 'Well.' }]);
  });
});

describe('a start that cannot be', () => {
  it('names the folder that cannot hold data', async () => {
    const { code, stdout, stderr } = await runTerminal([
      ...['run', 'x', '--model', 'demo', '--json', '--data-dir', '/dev/null/data'],
    ]);

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^hyperagent: .*\/dev\/null\/data.*\n$/);
  });

  it('makes its folder for the user alone, whichever command comes first', async () => {
    const dataDir = join(dir, 'first', 'data');
    await runTerminal(['doctor', '--data-dir', dataDir]);
    const ofDoctor = statSync(dataDir, { throwIfNoEntry: false })?.mode ?? 0;
    await runTerminal(['run', 'x', '--model', 'demo', '--approve', 'all', '--data-dir', dataDir]);
    expect([ofDoctor & 0o077, statSync(dataDir).mode & 0o777]).toEqual([0, 0o700]);
  });

  it('says how to name a model where none is chosen', async () => {
    const { code, stdout, stderr } = await runTerminal([
      ...['run', 'x', '--json', '--data-dir', join(dir, 'empty')],
    ]);

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^hyperagent: No model is chosen.*\n$/);
  });

  it('names a task that is not there', async () => {
    const { code, stdout, stderr } = await runTerminal([
      ...['run', 'x', '--model', 'demo', '--thread', 'thr_none', '--json'],
      ...['--data-dir', join(dir, 'empty')],
    ]);

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^hyperagent: .*thr_none.*\n$/);
  });
});
