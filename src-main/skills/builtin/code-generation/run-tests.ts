import { AppError } from '#contract/errors.ts';
import { sha256 } from '../../../base/canonical-json.ts';
import type { SkillServices } from '../../types.ts';
import type { TestKit } from './languages.ts';

/** How tests went; `passed` is null where they could not run. */
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
  try {
    const { exitCode, stdout, stderr, ok } = await sandbox.run('bash', testProgram(tested));
    const output = `${stdout}\n${stderr}`.trim();
    if (exitCode === NOT_THERE) return { passed: null, output: `Not run: ${tail(output)}` };
    const count = countOf(output, kit);
    const none =
      count === 0 ? `${output === '' ? '' : '\n'}No test was found in ${kit.testFile}.` : '';
    return { passed: ok && count > 0, output: `${tail(output)}${none}` };
  } catch (error) {
    const isAnswer = error instanceof AppError && ANSWERS.has(error.code);
    if (!isAnswer) throw error;
    return { passed: null, output: `Not run: ${error.message}` };
  }
}

/** What the person or the sandbox says instead of running them. */
const ANSWERS: ReadonlySet<string> = new Set(['TOOL_DENIED', 'TOOL_FAILED']);

function countOf(output: string, { ran }: TestKit): number {
  const found = ran.exec(output);
  if (found === null) return 0;
  // Without a number, the first of them is enough.
  return found[1] === undefined ? 1 : Number(found[1]);
}

/**
 * A program for bash with both files in it in full: who is asked for a yes reads exactly what will run.
 * The shell lives on after it, so all is in one of its own.
 */
function testProgram({ kit, code, tests, limitSeconds = LIMIT_SECONDS }: TestedProgram): string {
  const end = `END_${sha256(`${code}\n${tests}`).slice(0, 12)}`;
  return `(
folder=$(mktemp -d) && cd "$folder" || exit 1
cat > ${kit.solutionFile} <<'${end}'
${code}
${end}
cat > ${kit.testFile} <<'${end}'
${tests}
${end}
command -v ${kit.program} >/dev/null || { echo "the sandbox has no ${kit.program}"; exit ${NOT_THERE}; }
${kit.language === 'typescript' ? TYPESCRIPT_CHECK : ''}${kit.command} </dev/null 2>&1 &
tests=$!
( sleep ${limitSeconds}; kill -9 "$tests" ) </dev/null >/dev/null 2>&1 &
guard=$!
wait "$tests"
code=$?
kill "$guard" 2>/dev/null
if [ "$code" -eq 137 ]; then echo "Stopped after ${limitSeconds} seconds: the tests do not come to an end."; fi
cd / && rm -rf "$folder"
exit "$code"
)`;
}

const TYPESCRIPT_CHECK = `node -e 'process.exit(process.features.typescript ? 0 : 1)' || { echo "TypeScript needs Node.js 22.18 or later"; exit ${NOT_THERE}; }
`;

/** The end says what failed. */
function tail(output: string): string {
  return output.length <= OUTPUT_CHARS ? output : `…${output.slice(-OUTPUT_CHARS)}`;
}
