import { AppError } from '#contract/errors.ts';
import { sha256 } from '../../../base/canonical-json.ts';
import type { SkillServices } from '../../types.ts';
import { type TestKit, testsLack } from './languages.ts';

/** How tests went; `passed` is null where they could not run, or their outcome is unknown. */
export interface TestRun {
  readonly passed: boolean | null;
  readonly output: string;
}

export interface TestedProgram {
  readonly kit: TestKit;
  readonly code: string;
  readonly tests: string;
  /** Tests that take longer are stopped as endless. */
  readonly limitSeconds?: number;
}

const LIMIT_SECONDS = 60;
const OUTPUT_CHARS = 4_000;
const NOT_THERE = 127;

/** Runs the tests of a program in the sandbox, in a folder of their own that is removed afterwards. */
export async function runTests(
  tested: TestedProgram,
  {
    services: { sandbox },
  }: { readonly services: { readonly sandbox: Pick<SkillServices['sandbox'], 'run'> } },
): Promise<TestRun> {
  const { kit } = tested;
  const lack = testsLack(tested.tests, kit);
  if (lack !== null) return { passed: false, output: lack };
  try {
    const result = await sandbox.run('bash', testProgram(tested));
    const { output, passed } = readOutput(`${result.stdout}\n${result.stderr}`.trim(), tested);
    if (!result.isKnown) return { passed: null, output: `Outcome unknown: ${tail(output)}` };
    if (result.exitCode === NOT_THERE) return { passed: null, output: `Not run: ${tail(output)}` };
    const none =
      passed === 0 ? `${output === '' ? '' : '\n'}No test in ${kit.testFile} ran and passed.` : '';
    return { passed: result.ok && passed > 0, output: `${tail(output)}${none}` };
  } catch (error) {
    const isRefused = error instanceof AppError && REFUSALS.has(error.code);
    if (!isRefused) throw error;
    return { passed: null, output: `Not run: ${error.message}` };
  }
}

/** Codes with which the user or the sandbox declines to run them. */
const REFUSALS: ReadonlySet<string> = new Set(['TOOL_DENIED', 'TOOL_FAILED']);

/** The output of the tests, and how many ran and passed; none where one of a script's checks failed. */
function readOutput(
  output: string,
  tested: TestedProgram,
): { readonly output: string; readonly passed: number } {
  if (tested.kit.count === null) {
    const isFailed = /^not ok\b/m.test(output);
    return { output, passed: isFailed ? 0 : (output.match(/^ok\b/gm)?.length ?? 0) };
  }
  // The mark is a hash of the tests, so they cannot contain it, whatever they print.
  const line = new RegExp(`^${markOf(tested)} (\\d*)$`, 'm');
  return { output: output.replace(line, '').trim(), passed: Number(line.exec(output)?.[1] ?? 0) };
}

function markOf({ code, tests }: TestedProgram): string {
  return `END_${sha256(`${code}\n${tests}`).slice(0, 12)}`;
}

/**
 * A bash program that contains both files in full, so that the user approves exactly what will run.
 * The shell lives on after it, so everything runs in a subshell; the tests have a process group of
 * their own, and every process that they left running ends with it. The shell's own notes about
 * these jobs ("Terminated") are no output of the tests, which go to standard output alone.
 */
function testProgram(tested: TestedProgram): string {
  const { kit, code, tests, limitSeconds = LIMIT_SECONDS } = tested;
  const end = markOf(tested);
  return `(
folder=$(mktemp -d) && cd "$folder" || exit 1
cat > ${kit.solutionFile} <<'${end}'
${code}
${end}
cat > ${kit.testFile} <<'${end}'
${tests}
${end}
command -v ${kit.program} >/dev/null || { echo "the sandbox has no ${kit.program}"; exit ${NOT_THERE}; }
${kit.language === 'typescript' ? TYPESCRIPT_CHECK : ''}set -m
exec 2>/dev/null
${kit.command} </dev/null 2>&1 &
tests=$!
( sleep ${limitSeconds}; touch late; kill -9 -- "-$tests" ) </dev/null >/dev/null 2>&1 &
guard=$!
wait "$tests"
code=$?
kill -- "-$guard" 2>/dev/null
kill -9 -- "-$tests" 2>/dev/null
if [ -e late ]; then echo "Stopped after ${limitSeconds} seconds: the tests do not end."; fi
${
  kit.count === null
    ? ''
    : `echo; echo "${end} $(${kit.count} 2>/dev/null | tail -n 1)"
`
}cd / && rm -rf "$folder"
exit "$code"
)`;
}

const TYPESCRIPT_CHECK = `node -e 'process.exit(process.features.typescript ? 0 : 1)' || { echo "TypeScript needs Node.js 22.18 or later"; exit ${NOT_THERE}; }
`;

/** Keeps the end, which says what failed. */
function tail(output: string): string {
  return output.length <= OUTPUT_CHARS ? output : `…${output.slice(-OUTPUT_CHARS)}`;
}
