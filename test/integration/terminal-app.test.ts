import { existsSync, mkdtempSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findLeftovers } from '../../scripts/test/leftovers.ts';
import type { WireStepInput } from '../fakes/model-server/options.ts';
import { type FakeModelServer, startModelServer } from '../fakes/model-server/server.ts';
import { ensureBuilt, eventsOf, runTerminal } from '../setup/built-app.ts';
import { osSandboxNote, osSandboxReady } from '../setup/os-sandbox.ts';
import { removeFolder } from '../setup/remove-folder.ts';

/** The built CLI with everything real but the model, which is scripted over real HTTP. */

let dir: string;

beforeAll(() => {
  ensureBuilt();
  dir = mkdtempSync(join(tmpdir(), 'hyperagent-terminal-'));
});

afterAll(() => removeFolder(dir));

const python = (code: string): WireStepInput => ({
  call: { name: 'execute_code', arguments: { language: 'python', code } },
});

function serve(...turns: WireStepInput[][]): Promise<FakeModelServer> {
  return startModelServer({
    models: [{ name: 'x', capabilities: ['completion', 'tools'] }],
    turns: turns.map((steps) => ({ steps })),
  });
}

/** `run` with a data folder and `--json`, all calls approved. */
const run = (server: FakeModelServer, prompt: string, ...more: string[]) =>
  runTerminal([
    ...['run', prompt, '--model', 'ollama:x', '--base-url', server.url, '--json'],
    ...['--approve', 'all', '--sandbox', 'os', '--data-dir', join(dir, 'data'), ...more],
  ]);

const protocols = [
  { name: 'Ollama', model: 'ollama:x', path: '', chat: '/api/chat' },
  { name: 'OpenAI', model: 'openai-compatible:x', path: '/v1', chat: '/v1/chat/completions' },
];

describe.skipIf(!osSandboxReady)(`the main job at the terminal${osSandboxNote}`, () => {
  it.each(protocols)(
    'runs code in the sandbox and answers, over the protocol of $name',
    async ({ model, path, chat }) => {
      const canary = join(dir, 'canary.txt');
      writeFileSync(canary, 'must not be read');
      const code = [
        "open('result.txt', 'w').write('42')",
        'try:',
        `    print(open(${JSON.stringify(canary)}).read())`,
        'except OSError as error:',
        "    print('walled off:', type(error).__name__)",
      ].join('\n');
      await using server = await serve([python(code)], [{ text: 'The result is in result.txt.' }]);
      const dataDir = join(dir, `job${path.replace('/', '-')}`);

      const {
        code: exitCode,
        stderr,
        events,
      } = await runTerminal([
        ...['run', 'Work it out', '--model', model, '--base-url', `${server.url}${path}`],
        ...['--json', '--approve', 'all', '--data-dir', dataDir, '--sandbox', 'os'],
      ]);

      const all = events();
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
      expect(all.map(({ seq }) => seq)).toEqual(all.map((_, index) => index + 1));
      expect(eventsOf(all, 'error')).toEqual([]);
      expect(eventsOf(all, 'complete').map(({ answer }) => answer)).toEqual([
        'The result is in result.txt.',
      ]);
      expect(all.at(-1)?.type).toBe('complete');
      expect(eventsOf(all, 'workspace_update')).toMatchObject([
        { operation: 'create', path: 'result.txt', size: 2 },
      ]);
      expect(eventsOf(all, 'tool_result')).toMatchObject([
        {
          status: 'ok',
          sandboxLevel: 'bubblewrap',
          content: expect.stringContaining('walled off'),
        },
      ]);
      const requests = server.recording.requests.filter((request) => request.path === chat);
      expect(requests).toHaveLength(2);
      expect(requests[1]?.body).toContain('walled off');
      expect(requests[1]?.body).not.toContain('must not be read');
    },
  );

  it('keeps files and messages of a task for its next turn', async () => {
    await using server = await serve(
      [python("open('note.txt', 'w').write('kept')")],
      [{ text: 'Noted.' }],
      [python("print(open('note.txt').read())")],
      [{ text: 'It says: kept.' }],
    );
    const first = await run(server, 'Remember this');
    const runId = first.events()[0]?.runId ?? '';
    const listed = await runTerminal([
      'runs',
      'show',
      runId,
      '--json',
      '--data-dir',
      join(dir, 'data'),
    ]);
    const threadId = (JSON.parse(listed.stdout) as { threadId: string }).threadId;
    const second = await run(server, 'What was it?', '--thread', threadId);

    expect([first.code, second.code]).toEqual([0, 0]);
    expect(eventsOf(second.events(), 'tool_result')[0]?.content).toContain('kept');
    const last = server.recording.requests.at(-1)?.body ?? '';
    expect(last.indexOf('Remember this')).toBeGreaterThan(0);
    expect(last.indexOf('What was it?')).toBeGreaterThan(last.indexOf('Remember this'));
  });

  it('gives a task the files that are attached', async () => {
    const csv = join(dir, 'sales.csv');
    writeFileSync(csv, 'region,amount\nNorth,40\nSouth,17\n');
    await using server = await serve(
      [python("print(open('sales.csv').read())")],
      [{ text: 'Read.' }],
    );
    // Far more than a window may send.
    const big = join(dir, 'big.csv');
    writeFileSync(big, '');
    truncateSync(big, 30_000_000);
    const { code, events } = await run(server, 'Read it', '--attach', csv, '--attach', big);

    const all = events();
    expect(code).toBe(0);
    expect(eventsOf(all, 'workspace_update')[0]).toMatchObject({
      path: 'sales.csv',
      origin: 'attachment',
    });
    expect(eventsOf(all, 'workspace_update')[1]).toMatchObject({
      ...{ path: 'big.csv', size: 30_000_000, origin: 'attachment' },
    });
    expect(eventsOf(all, 'tool_result')[0]?.content).toContain('North,40');
  });

  it('denies with --approve never, and tells the model', async () => {
    await using server = await serve([python('print(1)')], [{ text: 'Then not.' }]);
    const { code, events } = await run(server, 'Try', '--approve', 'never');

    expect(code).toBe(0);
    expect(eventsOf(events(), 'tool_result')).toMatchObject([{ status: 'denied' }]);
    expect(eventsOf(events(), 'terminal_command')).toEqual([]);
  });

  it('parks with --approve ask where nobody can answer, and runs nothing', async () => {
    await using server = await serve([python("open('no.txt', 'w')")], [{ text: 'Never said.' }]);
    const { code, events, stderr } = await run(server, 'Try', '--approve', 'ask');

    const all = events();
    expect(code).toBe(3);
    expect(stderr).toMatch(/^hyperagent: run_\w+ is waiting for your answer.*\n$/);
    expect(eventsOf(all, 'interrupt')).toMatchObject([
      {
        kind: 'approval',
        toolName: 'execute_code',
        argumentsText: expect.stringContaining('no.txt'),
      },
    ]);
    expect(eventsOf(all, 'terminal_command')).toEqual([]);
    expect([...eventsOf(all, 'complete'), ...eventsOf(all, 'error')]).toEqual([]);
  });

  it('kills what runs in the sandbox at SIGINT', async () => {
    const mark = `MARK=sleeper-${process.pid}`;
    const code = `import subprocess
sleeper = subprocess.Popen(['sleep', '300'], env={'MARK': '${mark.slice(5)}'})
print('going', flush=True)
sleeper.wait()`;
    await using server = await serve([python(code)]);
    let seen = 0;
    const result = await runTerminal(
      [
        ...['run', 'Sleep', '--model', 'ollama:x', '--base-url', server.url, '--json'],
        ...['--approve', 'all', '--sandbox', 'os', '--data-dir', join(dir, 'data')],
      ],
      {
        onOutput: (text, kill) => {
          if (!text.includes('"going\\n"')) return;
          seen = findLeftovers(mark).length;
          kill('SIGINT');
        },
      },
    );

    const all = result.events();
    expect(result.code).toBe(130);
    expect(eventsOf(all, 'error')).toMatchObject([{ code: 'CANCELLED' }]);
    expect(all.at(-1)?.type).toBe('error');
    expect([seen, findLeftovers(mark)]).toEqual([1, []]);
  });

  it('lists, replays and exports what it did', async () => {
    const dataDir = join(dir, 'looking');
    await using server = await serve([python('print(6 * 7)')], [{ text: 'Done: 42.' }]);
    const done = await run(server, 'Count', '--data-dir', dataDir);
    const runId = done.events()[0]?.runId ?? '';
    const look = (...args: string[]) => runTerminal(['runs', ...args, '--data-dir', dataDir]);
    const file = join(dir, 'export.json');

    const list = await look('list', '--json');
    const replay = await look('events', runId, '--json');
    const rest = await look('events', runId, '--after', '3', '--json');
    const text = await look('events', runId);
    const exported = await look('export', runId, file);

    expect(JSON.parse(list.stdout)).toMatchObject([
      { id: runId, status: 'completed', prompt: 'Count' },
    ]);
    expect(replay.stdout).toBe(done.stdout);
    expect(rest.events()[0]?.seq).toBe(4);
    expect(text.stdout).toContain('Done: 42.');
    expect(exported.code).toBe(0);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
      run: { id: runId },
      events: done.events(),
    });
  });
});

describe('the CLI beside another process', () => {
  it('names the one that works on the folder; looking at it goes on', async () => {
    const dataDir = join(dir, 'shared');
    await using server = await serve([{ head: true }, { stall: true }]);
    const second: { result?: Awaited<ReturnType<typeof runTerminal>>; list?: string } = {};
    let hasBegun = false;
    const first = runTerminal(
      [
        ...['run', 'Wait', '--model', 'ollama:x', '--base-url', server.url, '--json'],
        ...['--data-dir', dataDir],
      ],
      {
        onOutput: async (_text, kill) => {
          // Output comes in several pieces.
          if (hasBegun) return;
          hasBegun = true;
          second.result = await run(server, 'Me too', '--data-dir', dataDir);
          second.list = (
            await runTerminal(['runs', 'list', '--json', '--data-dir', dataDir])
          ).stdout;
          kill('SIGINT');
        },
      },
    );

    expect((await first).code).toBe(130);
    expect(second.result).toMatchObject({ code: 1, stdout: '' });
    expect(second.result?.stderr).toMatch(/^hyperagent: .*\n$/);
    expect(second.result?.stderr).toContain(dataDir);
    expect(JSON.parse(second.list ?? '')).toMatchObject([{ prompt: 'Wait', status: 'running' }]);
  });

  it('runs on the Node of the machine, however old', async ({ skip }) => {
    const host = ['/usr/bin/node', '/usr/local/bin/node'].find((path) => existsSync(path));
    if (host === undefined) skip('no Node of the machine besides the packaged one');
    const { code, stdout, stderr } = await runTerminal(['tools', 'list', '--json'], {
      ...(host === undefined ? {} : { node: host }),
      env: { HYPERAGENT_DATA_DIR: join(dir, 'old-node') },
    });

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect((JSON.parse(stdout) as { name: string }[]).map(({ name }) => name)).toEqual([
      'execute_code',
      'shell_command',
      'execute_script',
      'run_tests',
      'sandbox_file',
      'analyze_image',
      'web_search',
      'fetch_page',
      'invoke_skill',
      'list_skills',
      'load_skill',
      'read_file',
      'complete_skill_step',
      'ask_user',
      'request_human_approval',
      'delegate_to_research',
      'make_plan',
      'load_tools',
      'search_tools',
      'call_tool',
      'browser_navigate',
      'browser_back',
      'browser_snapshot',
      'browser_find',
      'browser_click',
      'browser_hover',
      'browser_type',
      'browser_press_key',
      'browser_select',
      'browser_drag',
      'browser_scroll',
      'browser_upload',
      'browser_tabs',
      'browser_dialog',
      'browser_wait',
      'browser_screenshot',
      'browser_get_stream_url',
      'create_app_project',
      'app_write_file',
      'app_start_server',
      'app_run_command',
      'app_install_packages',
      'app_get_preview_url',
      'app_read_log',
      'app_check',
      'generate_slides',
      'generate_image',
    ]);
  });
});
