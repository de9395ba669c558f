import { expect, test } from 'vitest';
import { tool } from '#main/tools/definitions/run-tests.ts';
import type { ToolContext } from '#main/tools/types.ts';

const REPORT = {
  ...{ runner: 'pytest', version: '8', exit_code: 0, notes: [], problem: null, passed: 2 },
};

/** Runs the tool over a sandbox that ends like this. */
function run(exitCode: number, stdout: string) {
  const result = { outcome: 'completed', exitCode, durationMs: 1, stdout, stderr: '' };
  const runtime = { level: 'os', network: null, run: async () => result };
  const watch = { others: [], end: async () => [], [Symbol.dispose]: () => undefined };
  const context = {
    ...{ runId: 'run_1', toolCallId: 'call', signal: new AbortController().signal },
    emit: () => undefined,
    egress: { noteNamedByProgram: () => undefined },
    sandbox: { runtime: async () => runtime, workspace: { watch: async () => watch } },
  } as unknown as ToolContext;
  const { run: call } = tool({ commandTimeoutMs: () => 9_000, readModule: async () => '' });
  return call({ runner: 'pytest', folder: '.', files: [] }, context);
}

test('a report counts only where the program that reads it ended by itself', async () => {
  const line = JSON.stringify({ run_tests: REPORT });
  await expect(run(0, `..\n${line}\n`)).resolves.toMatchObject({ ok: true, data: { passed: 2 } });
  // What tests print that then kill it.
  await expect(run(137, `..\n${line}\n`)).rejects.toMatchObject({ code: 'TOOL_FAILED' });
});
