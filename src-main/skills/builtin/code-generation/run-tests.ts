import { AppError } from '#contract/errors.ts';
import { sha256 } from '../../../base/canonical-json.ts';
import type { SkillServices } from '../../types.ts';
import { type TestKit, testsLack } from './languages.ts';

/** How tests went; `passed` is null where they could not run, or nobody knows what came of them. */
export interface TestRun {
  readonly passed: boolean | null;
  readonly output: string;
}

export interface TestedProgram {
  readonly kit: TestKit;
  readonly code: string;
  readonly tests: string;
  /** Tests that take longer go on for ever. */
  readonly limitSeconds?: number;
}

const LIMIT_SECONDS = 60;
const OUTPUT_CHARS = 4_000;
const NOT_THERE = 127;

/** Runs the tests of a program in the sandbox, in a folder of their own that is gone afterwards. */
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
    const { output, held } = readOutput(`${result.stdout}\n${result.stderr}`.trim(), tested);
    if (!result.isKnown) return { passed: null, output: `Not known: ${tail(output)}` };
    if (result.exitCode === NOT_THERE) return { passed: null, output: `Not run: ${tail(output)}` };
    const none =
      held === 0 ? `${output === '' ? '' : '\n'}No test in ${kit.testFile} ran and held.` : '';
    return { passed: result.ok && held > 0, output: `${tail(output)}${none}` };
  } catch (error) {
    const isAnswer = error instanceof AppError && ANSWERS.has(error.code);
    if (!isAnswer) throw error;
    return { passed: null, output: `Not run: ${error.message}` };
  }
}

/** What the person or the sandbox says instead of running them. */
const ANSWERS: ReadonlySet<string> = new Set(['TOOL_DENIED', 'TOOL_FAILED']);

/** What the tests said, and how many of them ran and held; none where one of a script's checks did not. */
function readOutput(
  said: string,
  tested: TestedProgram,
): { readonly output: string; readonly held: number } {
  if (tested.kit.count === null) {
    const isWrong = /^not ok\b/m.test(said);
    return { output: said, held: isWrong ? 0 : (said.match(/^ok\b/gm)?.length ?? 0) };
  }
  // The mark is made of the tests: they cannot hold it, whatever they print.
  const line = new RegExp(`^${markOf(tested)} (\\d*)$`, 'm');
  return { output: said.replace(line, '').trim(), held: Number(line.exec(said)?.[1] ?? 0) };
}

function markOf({ code, tests }: TestedProgram): string {
  return `END_${sha256(`${code}\n${tests}`).slice(0, 12)}`;
}

/**
 * A program for bash with both files in it in full: who is asked for a yes reads exactly what will run.
 * The shell lives on after it, so all is in one of its own; the tests have a group of processes, and
 * whatever they left at work ends with them.
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
${kit.command} </dev/null 2>&1 &
tests=$!
( sleep ${limitSeconds}; touch late; kill -9 -- "-$tests" ) </dev/null >/dev/null 2>&1 &
guard=$!
wait "$tests"
code=$?
kill -- "-$guard" 2>/dev/null
kill -9 -- "-$tests" 2>/dev/null
if [ -e late ]; then echo "Stopped after ${limitSeconds} seconds: the tests do not come to an end."; fi
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

/** The end says what failed. */
function tail(output: string): string {
  return output.length <= OUTPUT_CHARS ? output : `…${output.slice(-OUTPUT_CHARS)}`;
}
