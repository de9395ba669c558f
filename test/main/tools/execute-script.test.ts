import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { AppError } from '#contract/errors.ts';
import { RunParked } from '#main/hitl/types.ts';
import { BubblewrapProvider } from '#main/sandbox/os-provider/bubblewrap-provider.ts';
import type { SearchService } from '#main/search/types.ts';
import { openJournal } from '#main/storage/run-journal.ts';
import { DurableToolLedger } from '#main/tools/durable-ledger.ts';
import { noSearch } from '../../fakes/fake-search.ts';
import { memoryInterrupts } from '../../fakes/fake-tools.ts';
import { sandboxBench } from '../../fakes/sandbox-bench.ts';
import { osSandboxNote, osSandboxReady } from '../../setup/os-sandbox.ts';
import { providerParts } from '../sandbox/provider-parts.ts';
import { HandClock, insertRun, open } from '../storage/support.ts';

const provider = (dir: string) => new BubblewrapProvider(providerParts(dir));

/** A script that tells how each of its lines ended. */
const lines = (...code: string[]): string =>
  [
    'import hyperagent, json',
    'def tell(work):',
    '    try: print(json.dumps(work()))',
    '    except hyperagent.HyperagentError as error: print("refused:", error)',
    ...code.map((line) => `tell(lambda: ${line})`),
  ].join('\n');

async function openBench(
  bench: Parameters<typeof sandboxBench>[0]['bench'] = {},
  more: Partial<Parameters<typeof sandboxBench>[0]> = {},
) {
  const made = await sandboxBench({ provider, bench, ...more });
  onTestFinished(() => made[Symbol.asyncDispose]());
  return made;
}

const stdoutOf = (result: { data?: unknown }): string[] =>
  (result.data as { stdout: string }).stdout.trim().split('\n');

describe.skipIf(!osSandboxReady)(`execute_script${osSandboxNote}`, () => {
  it('names every file that it created, before and after its calls, and those of its calls', async () => {
    const { call } = await openBench();
    await call('shell_command', { command: 'echo old > old.txt' });
    const made = await call('execute_script', {
      script: [
        'import hyperagent, os',
        'open("a.txt", "w").write("1")',
        'open("gone.txt", "w").write("1")',
        'hyperagent.run_command("echo 2 > b.txt")',
        'hyperagent.write_file("sub/c.txt", "3")',
        'open("d.txt", "w").write("4"); open("old.txt", "a").write("more"); os.remove("gone.txt")',
      ].join('\n'),
    });
    expect((made.data as { created_files: string[] }).created_files).toEqual([
      ...['a.txt', 'b.txt', 'd.txt', 'sub/c.txt'],
    ]);
  });

  it('searches, gets sources as a list, and gets the reason where nobody answers', async () => {
    const result = {
      ...{ url: 'https://a.example/', title: 'Tides', snippet: 'High at noon.' },
      ...{ publishedAt: null, provider: 'brave' as const },
    };
    const search: SearchService = {
      ...noSearch,
      search: async (query) => {
        if (query === 'nobody') throw new AppError('SEARCH_FAILED', 'Enter a key.');
        return { results: [result], asked: ['brave'], problems: [] };
      },
    };
    const { call, tools } = await openBench({}, { search });
    const found = await call('execute_script', {
      script: lines('hyperagent.web_search("tides")', 'hyperagent.web_search("nobody")'),
    });
    const [first = '', second] = stdoutOf(found);
    expect(JSON.parse(first)).toEqual([result]);
    expect(second).toBe('refused: The tool failed: Enter a key.');
    expect(tools.context.taint.sources()).toContain('web search');
  });

  it('does several steps at once: commands beside it, files, and gives JSON', async () => {
    const { call, events } = await openBench();
    const result = await call('execute_script', {
      script: lines(
        'hyperagent.run_command("echo out; echo err >&2; (exit 3)")',
        'hyperagent.write_file("made/a.txt", "hällo\\n" * 20000)',
        'len(hyperagent.read_file("made/a.txt"))',
        'hyperagent.read_file("made/a.txt", 139993).split("[")[0]',
        'hyperagent.list_files("made")',
        'open("made/a.txt").read()[:5]',
        'hyperagent.run_command("sleep 60", timeout_seconds=0.3)["outcome"]',
        'hyperagent.run_command("cat made/a.txt | wc -l")["stdout"]',
      ),
    });
    const parsed = JSON.parse(result.content) as Record<string, unknown>;
    expect({ ...parsed, stdout: null }).toEqual({
      ...{ success: true, exit_code: 0, stdout: null, stderr: '', created_files: ['made/a.txt'] },
    });
    expect(stdoutOf(result)).toEqual([
      '{"exit_code": 3, "stdout": "out\\n", "stderr": "err\\n", "created_files": []}',
      '"Wrote 140000 bytes to made/a.txt."',
      expect.stringMatching(/^\d+$/),
      '"h\\u00e4llo\\n\\n"',
      '["made/a.txt"]',
      '"h\\u00e4llo"',
      '"timed_out"',
      '"20000\\n"',
    ]);
    const calls = events
      .filter((event) => event.type === 'tool_call')
      .map((event) => event.toolCallId);
    expect(calls).toEqual(['call_1', ...[1, 2, 3, 4, 5, 6, 7].map((n) => `call_1.${n}`)]);
    // Each call has its result, the outer one last.
    const results = events
      .filter((event) => event.type === 'tool_result')
      .map((event) => event.toolCallId);
    expect(results).toEqual([...calls.slice(1), 'call_1']);
  });

  it('each call is asked about like one of the model, and a denial is final', async () => {
    const { call, tools } = await openBench({ approve: 'ask' });
    const running = call('execute_script', {
      script: lines(
        'hyperagent.run_command("echo first")',
        'hyperagent.run_command("echo second")',
        'hyperagent.read_file("nothing")',
      ),
    });
    const asked: string[] = [];
    const answer = async (action: 'approve' | 'deny') => {
      const seen = asked.length;
      await expect
        .poll(() => tools.events.filter((event) => event.type === 'interrupt').length)
        .toBeGreaterThan(seen);
      const question = tools.events.filter((event) => event.type === 'interrupt')[seen];
      if (question?.type !== 'interrupt') throw new Error('no question');
      asked.push(question.argumentsText ?? '');
      tools.broker.respond(
        'run_1',
        question.interruptId,
        action === 'approve'
          ? { action, argumentsSha256: question.argumentsSha256 ?? '', always: false }
          : { action, reason: 'Not this one.' },
      );
    };
    await answer('approve');
    await answer('approve');
    await answer('deny');
    const printed = stdoutOf(await running);
    expect(asked.slice(1)).toEqual(['{"command":"echo first"}', '{"command":"echo second"}']);
    expect(printed[0]).toContain('"first\\n"');
    expect(printed[1]).toContain('refused: The user did not allow this call: Not this one.');
    expect(printed[2]).toContain('refused:');
  });

  it('answers nobody but its own script, and only calls of the module', async () => {
    const { call } = await openBench();
    const raw = (body: string) =>
      `python3 - <<'END'\nimport socket\nwith socket.create_connection(("127.0.0.1", 8119)) as s:\n    s.sendall(${body}); s.shutdown(1)\n    try: print(s.recv(200).decode() or "nothing")\n    except OSError: print("nothing")\nEND`;
    const outside = await call('shell_command', { command: raw('b"{}"') });
    expect(stdoutOf(outside)).toEqual(['nothing']);
    const inside = await call('execute_script', {
      script: [
        'import subprocess',
        ...[
          'b"{}"',
          'b"not json"',
          'b\'{"tool": "execute_script", "arguments": {"script": "1"}}\'',
          'b\'{"tool": "toString", "arguments": {}}\'',
        ].map(
          (body) =>
            `print(subprocess.run(["bash", "-c", ${JSON.stringify(raw(body))}], capture_output=True, text=True).stdout.strip())`,
        ),
      ].join('\n'),
    });
    const unknown = '{"ok":false,"content":"The app does not know this call."}';
    expect(stdoutOf(inside)).toEqual([unknown, unknown, unknown, unknown]);
  });

  it('a limit ends the script with its calls, and the next one works', async () => {
    const { call } = await openBench();
    const result = await call('execute_script', {
      script: 'import hyperagent\nhyperagent.run_command("sleep 60; echo late > late.txt")',
      timeout_seconds: 0.7,
    });
    expect(JSON.parse(result.content)).toMatchObject({ success: false, outcome: 'timed_out' });
    const next = await call('execute_script', { script: lines('hyperagent.list_files()') });
    expect(stdoutOf(next)).toEqual(['[]']);
  });

  it('a child that outlives the script and holds an unfinished call open does not keep it from ending', async () => {
    const { call, events } = await openBench();
    const child = [
      'import socket, time',
      's = socket.create_connection(("127.0.0.1", 8119))',
      's.sendall(b\'{"tool": "write_file", "arguments": {"path": "late.txt", \')',
      'open("connected", "w").close()',
      'while True: time.sleep(0.1)',
    ].join('\n');
    const result = await call('execute_script', {
      script: [
        'import os, subprocess, sys, time',
        `child = subprocess.Popen([sys.executable, "-c", ${JSON.stringify(child)}], start_new_session=True)`,
        'while not os.path.exists("connected"): time.sleep(0.02)',
        'print("done")',
      ].join('\n'),
    });
    expect([result.status, ...stdoutOf(result)]).toEqual(['ok', 'done']);
    const calls = events.filter((event) => event.type === 'tool_call');
    expect(calls.map((event) => event.toolCallId)).toEqual(['call_1']);
  });

  it('one that waits for an absent user is made again from its beginning, and doubles nothing', async () => {
    const database = open(join(tmpdir(), `hyperagent-script-${process.pid}-${Date.now()}`));
    insertRun(database);
    const ledger = new DurableToolLedger(openJournal(database.connection, new HandClock()));
    const interrupts = memoryInterrupts();
    const { call, tools } = await openBench({
      ...{ approve: 'ask', ledger, attended: false },
      broker: { interrupts },
    });
    tools.rules.put({
      ...{ toolName: 'execute_script', pattern: '*', match: 'arguments' },
      ...{ decision: 'approve', threadId: null },
    });
    const script = lines(
      'hyperagent.write_file("count.txt", "1")',
      'hyperagent.run_command("echo x >> effects.txt")["exit_code"]',
      'hyperagent.run_command("cat effects.txt")["stdout"]',
    );
    const answerOpen = () => {
      for (const { id, question } of interrupts.open()) {
        interrupts.answer(
          id,
          {
            action: 'approve',
            argumentsSha256: question.argumentsSha256 ?? '',
            always: false,
          },
          'person',
        );
      }
    };
    // Each question parks the run; each answer lets the step be done again.
    await expect(call('execute_script', { script })).rejects.toBeInstanceOf(RunParked);
    answerOpen();
    await expect(call('execute_script', { script }, 1)).rejects.toBeInstanceOf(RunParked);
    answerOpen();
    const done = await call('execute_script', { script }, 1);
    expect(stdoutOf(done)).toEqual(['"Wrote 1 bytes to count.txt, a new file."', '0', '"x\\n"']);
    // The files of the attempts that parked, too.
    expect((done.data as { created_files: string[] }).created_files).toEqual([
      ...['count.txt', 'effects.txt'],
    ]);
    // And what is done is done.
    expect(stdoutOf(await call('execute_script', { script }, 1))).toEqual(stdoutOf(done));
  });
});
