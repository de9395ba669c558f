import { z } from 'zod';
import { AppError } from '#contract/errors.ts';
import { parseOutsideJson } from '../../base/outside-json.ts';
import { WORKSPACE } from '../../sandbox/inside.ts';
import { defineTool, type ToolParts } from '../define-tool.ts';
import { runInSandbox } from '../run-command.ts';
import type { ToolDefinition } from '../types.ts';

const RunTestsInput = z.strictObject({
  runner: z.enum(['pytest', 'unittest', 'node', 'vitest', 'jest', 'mocha', 'go', 'cargo']),
  /** Of the project, relative to the workspace. */
  folder: z.string().max(1_000),
  /** Test files relative to the workspace; all tests of the project if empty. */
  files: z.array(z.string().max(1_000)).max(200),
});
export type RunTestsInput = z.infer<typeof RunTestsInput>;

/** What the report of a runner says. Without counts it could not be read, and `problem` says why. */
export const TestReport = z.object({
  runner: z.string(),
  version: z.string(),
  exit_code: z.int().nullable(),
  /** About the runner itself: files that pose as it, an environment that was not used. */
  notes: z.array(z.string()),
  problem: z.string().nullable(),
  passed: z.int().optional(),
  failed: z.int().optional(),
  errors: z.int().optional(),
  skipped: z.int().optional(),
  failing: z.array(z.string()).default([]),
  /** Names of skipped tests. */
  left_out: z.array(z.string()).default([]),
});
export type TestReport = z.infer<typeof TestReport>;

/** Time that the program needs besides the tests. */
const OWN_MS = 3_000;

/**
 * Runs the tests of a project with its own runner and reads the runner's report. The app calls it to check a claim;
 * models run tests as they like. Nothing of the shell's state is part of it.
 */
export function tool({
  commandTimeoutMs,
  readModule,
}: Pick<ToolParts, 'commandTimeoutMs' | 'readModule'>): ToolDefinition {
  return defineTool({
    name: 'run_tests',
    description: "Run the project's tests with its own runner and read its report.",
    input: RunTestsInput,
    question: ({ runner, folder }) =>
      `Run the tests with ${runner}${folder === '.' ? '' : ` in ${folder}`} to check what the agent says of them?`,
    risk: 'high',
    // Tests are there to be run again.
    effect: 'idempotent',
    run: async (input, context) => {
      const timeoutMs = commandTimeoutMs();
      const seconds = Math.max(1, (timeoutMs - OWN_MS) / 1000);
      const request = JSON.stringify({ ...input, workspace: WORKSPACE, seconds });
      const code = `${await readModule('run_tests.py')}\n\nmain(${JSON.stringify(request)})\n`;
      const shown = `${input.runner} ${input.folder} ${input.files.join(' ')}`.trim();
      const command = { language: 'python', code, timeoutMs, isolated: true, shown } as const;
      const output = await runInSandbox(command, context);
      // Tests can print as well: what a program wrote that they killed is not its report.
      if (output.ok !== true) {
        throw new AppError('TOOL_FAILED', 'The tests ended the program that reads their report.');
      }
      const report = reportIn(output.data);
      const { problem } = report;
      const ok = problem === null && report.exit_code === 0;
      return {
        ...output,
        ok,
        content: `${describeReport(report)}\n${output.content}`,
        data: report,
      };
    },
  });
}

/** A report in one line. */
export function describeReport(report: TestReport): string {
  const { runner, version, exit_code: code, problem } = report;
  const name = version === '' ? runner : `${runner} ${version}`;
  if (problem !== null) return `${name}: ${problem}`;
  const counts = (['passed', 'failed', 'errors', 'skipped'] as const).flatMap((key) =>
    report[key] === undefined || (key !== 'passed' && report[key] === 0)
      ? []
      : [`${report[key]} ${key}`],
  );
  return `${name}: ${counts.join(', ')}, exit code ${code}`;
}

const Printed = z.object({ stdout: z.string() });
const LastLine = z.object({ run_tests: TestReport });

function reportIn(data: unknown): TestReport {
  const { stdout } = Printed.parse(data);
  const last = stdout.trimEnd().split('\n').at(-1) ?? '';
  try {
    return LastLine.parse(parseOutsideJson(last)).run_tests;
  } catch (cause) {
    throw new AppError('TOOL_FAILED', 'The tests ended without a result of their own.', { cause });
  }
}
