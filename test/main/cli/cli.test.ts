import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RunEvent } from '#contract/events/run-event.ts';
import { removeFolder } from '../../setup/remove-folder.ts';
import { runCli, startCli } from './run-cli.ts';

let dir: string;

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'hyperagent-cli-'));
});

afterAll(() => removeFolder(dir));

const file = (name: string, content: string | Buffer): string => {
  const path = join(dir, name);
  writeFileSync(path, content);
  return path;
};

describe('hyperagent run', () => {
  it('prints one event per line and nothing else with --json', async () => {
    const { code, stdout, stderr } = await runCli(['run', 'hello', '--json']);

    const events = stdout
      .trimEnd()
      .split('\n')
      .map((line) => RunEvent.parse(JSON.parse(line)));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(events.map(({ seq, type }) => [seq, type])).toEqual([
      [1, 'token'],
      [2, 'token'],
      [3, 'complete'],
    ]);
  });

  it('prints readable text without --json, and no colours without a terminal', async () => {
    const { code, stdout, stderr } = await runCli(['run', 'hello']);

    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: 'Hello there.\n', stderr: '' });
  });

  it('lets no text control the terminal', async () => {
    const { stdout } = await runCli(['run', 'hostile']);

    expect(stdout).toBe('abc⟨U+202E⟩d\nred\nnext\n');
  });

  it('prints all of a long run, in order', async () => {
    const { code, stdout } = await runCli(['run', 'many 5000', '--json']);

    const seqs = stdout
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { seq: number }).seq);
    expect(code).toBe(0);
    expect(seqs).toEqual(Array.from({ length: 5001 }, (_, i) => i + 1));
  });

  it('exits 1 when the run failed, and says why', async () => {
    const { code, stderr } = await runCli(['run', 'fail']);

    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'hyperagent: The model said nothing. (MODEL_STALLED)\n',
    });
  });

  it('parks without a terminal, with the question in the stream, and exits 3', async () => {
    const { code, stdout, stderr } = await runCli(['run', 'approve', '--json']);

    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({ type: 'interrupt', seq: 1 });
    expect(stderr).toBe(
      'hyperagent: run_1 is waiting for your answer. Show its questions with "hyperagent runs waiting", then answer with "hyperagent resume run_1 --respond ID=…" or in the window.\n',
    );
  });

  it('shows an open question in full without --json', async () => {
    const { code, stdout } = await runCli(['run', 'approve']);

    expect({ code, stdout }).toEqual({
      code: 3,
      stdout: '? Run shell_command?\n  - It changes files.\n  | rm -r ⟨U+202E⟩data\n',
    });
  });

  it('is cancelled by SIGINT and exits 130', async () => {
    const running = startCli(['run', 'hang', '--json']);
    await running.saw('working');
    running.child.kill('SIGINT');

    const { code, signal, stderr } = await running.result;
    expect({ code, signal, stderr }).toEqual({
      code: 130,
      signal: null,
      stderr: 'hyperagent: run_1 was cancelled. Its work so far is kept.\n',
    });
  });

  it('ends at once at a second SIGINT, but not at the same press twice', async () => {
    const running = startCli(['run', 'deaf']);
    await running.saw('working');
    running.child.kill('SIGINT');
    running.child.kill('SIGINT');
    await new Promise((resolve) => setTimeout(resolve, 600));
    const alive = running.child.exitCode === null;
    running.child.kill('SIGINT');

    expect(alive).toBe(true);
    expect((await running.result).code).toBe(130);
  });

  it('cancels the run when its reader closes the pipe', async () => {
    const running = startCli(['run', 'hang', '--json']);
    await running.saw('working');
    const endless = startCli(['run', 'endless', '--json']);
    await endless.saw('seq');
    endless.child.stdout?.destroy();
    running.child.kill('SIGTERM');

    expect((await endless.result).code).toBe(1);
    expect((await running.result).code).toBe(143);
  });

  it('takes earlier names of modes', async () => {
    const { stdout } = await runCli(['run', 'options', '--mode', 'chat', '--data-dir', dir]);
    expect(JSON.parse(stdout)).toMatchObject({ options: { mode: 'task' } });
  });

  it('takes the prompt from a file or from standard input', async () => {
    const fromFile = await runCli(['run', '--prompt-file', file('prompt.txt', 'hello\n')]);
    const fromStdin = await runCli(['run', '--prompt-file', '-'], { stdin: 'hello' });

    expect([fromFile.code, fromStdin.code]).toEqual([0, 0]);
    expect(fromStdin.stdout).toBe('Hello there.\n');
  });

  it('passes every option on to the run', async () => {
    const args = [
      ...['--mode', 'data', '--model', 'ollama:qwen3:8b', '--base-url', 'http://127.0.0.1:9'],
      ...['--sandbox', 'os', '--network', 'allowlist', '--allow-host', 'a.example'],
      ...['--depth', 'deep', '--scenario', 'news', '--execution-mode', 'codeact'],
      ...['--allow-host', 'b.example', '--approve', 'never', '--timeout', '2.5'],
      ...['--level', 'ask_on_exit'],
      ...['--api-key-env', 'MY_KEY', '--data-dir', dir],
    ];
    const { code, stdout, stderr } = await runCli(['run', 'options', ...args], {
      env: { MY_KEY: 'sesame' },
    });

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toEqual({
      options: {
        mode: 'data',
        researchDepth: 'deep',
        scenario: 'news',
        executionMode: 'codeact',
        model: { provider: 'ollama', name: 'qwen3:8b' },
        sandbox: 'os',
        network: 'allowlist',
        allowHosts: ['a.example', 'b.example'],
        approve: 'never',
        timeoutSeconds: 2.5,
      },
      level: 'ask_on_exit',
      composed: {
        dataDir: dir,
        entryPoint: 'terminal',
        secondary: false,
        ownsProcess: true,
        attended: false,
        readOnly: false,
        modelOverrides: { baseUrl: 'http://127.0.0.1:9', apiKey: 'sesame' },
        policy: { state: 'none' },
      },
      keyInEnvironment: false,
    });
  });
});

describe('a mistake on the command line', () => {
  it.each([
    ['no prompt', ['run'], 'There is no prompt'],
    ['an empty prompt', ['run', '  '], 'The prompt is empty'],
    ['two prompts', ['run', 'x', '--prompt-file', '-'], 'not both'],
    ['a missing prompt file', ['run', '--prompt-file', '/no/prompt.txt'], 'does not exist'],
    ['an unknown option', ['run', 'x', '--colour'], "unknown option '--colour'"],
    ['an unknown command', ['walk'], "unknown command 'walk'"],
    ['an unknown subcommand', ['runs', 'walk'], "unknown command 'walk'"],
    ['an unknown mode', ['run', 'x', '--mode', 'fly'], 'Allowed choices are task, research'],
    ['a mode by half its name', ['run', 'x', '--mode', 'cha'], 'code, chat.'],
    ['a model without a provider', ['run', 'x', '--model', 'qwen3'], 'PROVIDER:NAME'],
    ['a model without a name', ['run', 'x', '--model', 'ollama:'], 'PROVIDER:NAME'],
    ['an invalid address', ['run', 'x', '--base-url', 'file:///etc'], 'http or https'],
    ['an invalid time limit', ['run', 'x', '--timeout', '0'], 'seconds above 0'],
    ['an invalid port', ['serve', '--port', '70000'], 'at most 65535'],
    ['a missing key', ['run', 'x', '--api-key-env', 'NO_KEY'], 'NO_KEY is not set'],
    [
      'hosts for another policy',
      ['run', 'x', '--network', 'open', '--allow-host', 'h'],
      '--allow-host needs --network allowlist',
    ],
    ['an invalid number of results', ['search', 'x', '--limit', '21'], 'between 1 and 20'],
    [
      'an unknown search provider',
      ['search', 'x', '--provider', 'ask'],
      'Allowed choices are searxng',
    ],
    ['nothing to search for', ['search'], "missing required argument 'query'"],
    ['an extra argument', ['run', 'x', 'y'], 'too many arguments'],
    ['a missing argument', ['runs', 'show'], "missing required argument 'run'"],
    ['an invalid sequence number', ['runs', 'events', 'r', '--after', '-1'], 'whole number'],
    ['a missing attachment', ['run', 'hello', '--attach', '/no'], 'does not exist'],
    ['a folder to attach', ['run', 'hello', '--attach', '/'], 'cannot be attached'],
  ])('%s exits 2 with one line', async (_what, args, said) => {
    const { code, stdout, stderr } = await runCli(args);

    expect({ code, stdout, lines: stderr.match(/\n/g)?.length }).toEqual({
      code: 2,
      stdout: '',
      lines: 1,
    });
    expect(stderr).toMatch(/^hyperagent: /);
    expect(stderr).toContain(said);
  });

  it('says that a file is too large to attach before anything starts', async () => {
    const big = file('big.bin', Buffer.alloc(0));
    // Sparse: it takes no room.
    truncateSync(big, 4 * 1024 ** 3 + 1);
    const { code, stdout, stderr } = await runCli(['run', 'hello', '--attach', big, '--json']);

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('the limit for attachments is 4096 MB');
  });
});

describe('help', () => {
  it.each([
    [[]],
    [['run']],
    [['runs']],
    [['runs', 'list']],
    [['runs', 'show']],
    [['runs', 'events']],
    [['runs', 'export']],
    [['tools']],
    [['tools', 'list']],
    [['doctor']],
    [['serve']],
  ])('is there for %j', async (command) => {
    const { code, stdout, stderr } = await runCli([...command, '--help']);

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`Usage: ${['hyperagent', ...command].join(' ')}`);
  });

  it('prints the version', async () => {
    expect(await runCli(['--version'])).toMatchObject({ code: 0, stdout: '1.2.3\n' });
  });
});

describe('runs, tools and doctor', () => {
  it('lists tools and the doctor report as JSON and as text', async () => {
    const tools = await runCli(['tools', 'list', '--json']);
    const doctor = await runCli(['doctor', '--json']);
    const text = await runCli(['doctor']);

    expect(JSON.parse(tools.stdout)).toMatchObject([{ name: 'shell_command', risk: 'high' }]);
    expect(JSON.parse(doctor.stdout)).toMatchObject({ items: [{ id: 'node' }, { id: 'browser' }] });
    expect(text.stdout).toContain('– Browser: none\n    → Get one.\n');
    expect(text.stdout.split('\n')[0]).toBe(
      'Not ready: no model was found, do: run hyperagent setup',
    );
    expect([text.code, doctor.code]).toEqual([1, 1]);
  });

  it('lists no runs without data, and names an unknown run', async () => {
    const list = await runCli(['runs', 'list', '--json']);
    const show = await runCli(['runs', 'show', 'run_9']);

    expect([list.code, list.stdout]).toEqual([0, '[]\n']);
    expect([show.code, show.stdout, show.stderr]).toEqual([
      1,
      '',
      'hyperagent: There is no run run_9.\n',
    ]);
  });
});

describe('hyperagent serve', () => {
  it('prints its address, serves, and ends with a signal', async () => {
    const running = startCli(['serve', '--no-open', '--data-dir', dir]);
    await running.saw('Ctrl+C');
    running.child.kill('SIGTERM');

    const { code, stdout } = await running.result;
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^HyperAgent is running at http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{43}\nPress Ctrl\+C to stop it\.\n$/,
    );
  });
});

// `script` of util-linux gives a program a terminal; other systems have another one, or none.
describe.skipIf(process.platform !== 'linux')('the prompt at a terminal (Linux only)', () => {
  /** The program with a real terminal (`script`), typed into. */
  const atTerminal = (args: string, typed: string, before = ''): Promise<string> => {
    const entry = join(import.meta.dirname, '../../fakes/app/cli-entry.ts');
    const record = join(dir, 'typescript');
    const child = spawn('script', ['-qec', `${process.execPath} ${entry} ${args}`, record], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    let shown = '';
    const answers = typed.split('|');
    child.stdin.write(before);
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      shown += chunk;
      // A prompt ends with the move of the cursor behind it.
      if (/> .\[\d+G$/.test(shown)) child.stdin.write(answers.shift() ?? '');
    });
    return new Promise((resolve) => child.on('close', (code) => resolve(`${shown}[exit ${code}]`)));
  };

  it('asks, shows the arguments with nothing hidden, and approves', async () => {
    const shown = await atTerminal('run approve', 'x\r|a\r');

    expect(shown).toContain('| rm -r ⟨U+202E⟩data');
    expect(shown).toMatch(/approve\r?\n\[exit 0\]$/);
    // No prompt that asks nothing stands there before the question's own.
    expect(shown).not.toContain('\u001b[0J> ');
  });

  it('denies with a reason', async () => {
    const shown = await atTerminal('run approve --json', 'd\r|too risky\r');

    expect(shown).toContain('"response":{"action":"deny","reason":"too risky"}');
    expect(shown).toContain('  | rm -r ⟨U+202E⟩data\r\n');
    expect(shown).toMatch(/\[exit 0\]$/);
  });

  it('drops what was typed before the question, a line that was begun too', async () => {
    const shown = await atTerminal('run approve --json', 'd\r|too risky\r', 'a\ra\ra');

    expect(shown).toContain('"response":{"action":"deny","reason":"too risky"}');
  });

  it('is cancelled by Ctrl+C while it asks', async () => {
    const shown = await atTerminal('run approve', '\u0003');

    expect(shown).toMatch(/\[exit 130\]$/);
  });

  it('is cancelled by Ctrl+D, because no answer will come', async () => {
    expect(await atTerminal('run approve', '\u0004')).toMatch(/\[exit 130\]$/);
  });

  it('has colours, unless NO_COLOR says otherwise', async () => {
    const coloured = await atTerminal('run hostile', '');

    expect(coloured).toContain('\u001b[2mred');
  });
});

describe('a past run', () => {
  const env = { PAST_RUN: '1' };

  it('is listed, shown and replayed', async () => {
    const list = await runCli(['runs', 'list', '--json'], { env });
    const show = await runCli(['runs', 'show', 'run_1', '--json'], { env });
    const events = await runCli(['runs', 'events', 'run_1', '--after', '1', '--json'], { env });
    const text = await runCli(['runs', 'events', 'run_1'], { env });

    expect(JSON.parse(list.stdout)).toMatchObject([{ id: 'run_1', status: 'completed' }]);
    expect(JSON.parse(show.stdout)).toMatchObject({
      id: 'run_1',
      thread: { id: 'thread_1' },
      messages: [],
    });
    const lines = events.stdout.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).seq)).toEqual([2, 3]);
    expect(text.stdout).toBe('Hello there.\n');
  });

  it('is exported', async () => {
    const target = join(dir, 'run.json');
    const { code, stdout } = await runCli(['runs', 'export', 'run_1', target, '--json'], { env });

    expect([code, JSON.parse(stdout)]).toEqual([0, { runId: 'run_1', file: target, events: 3 }]);
    expect(JSON.parse(readFileSync(target, 'utf8'))).toMatchObject({ run: { id: 'run_1' } });
  });
});
