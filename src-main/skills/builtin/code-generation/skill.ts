import { AppError } from '#contract/errors.ts';
import { asData } from '../../as-data.ts';
import { graphSkill, SKILL_DONE } from '../../graph-skill.ts';
import { isRefusal } from '../../refusal.ts';
import type { JsonObject, SkillContext, SkillPrompt } from '../../types.ts';
import { languageName, testKit } from './languages.ts';
import { metadata } from './metadata.ts';
import { EXPLAIN_PROMPT, REPAIR_PROMPT, TEST_PROMPT, WRITE_PROMPT } from './prompts.ts';
import { type CodeAnswer, readCode, readRepaired } from './read-code.ts';
import { runTests, type TestRun } from './run-tests.ts';

/** How often failing tests go back to the model. */
const REPAIRS = 2;

interface Params extends JsonObject {
  readonly task: string;
  readonly language: string;
  readonly style: string;
  readonly include_tests: boolean;
}

interface Work extends JsonObject {
  readonly code: string;
  readonly explanation: string;
  readonly tests: string | null;
  readonly run?: TestRun;
  readonly repairs?: number;
}

/** Writes a program, and on request its tests with how they went; tests that still fail are reported as failed. */
export const skill = graphSkill(metadata, [
  {
    name: 'write',
    description: 'Writing the program',
    run: async ({ inputParams }, context) => {
      const params = inputParams as Params;
      const { code, explanation, tests } = await writeProgram(params, context);
      const explained =
        explanation.length >= 15 ? explanation : await explain(params, { code, context });
      const work: Work = { code, explanation: explained, tests };
      return params.include_tests ? { work } : { work, ...ended(params, { ...work, tests: null }) };
    },
  },
  {
    name: 'test',
    description: 'Running the tests',
    run: async (state, context) => {
      const [params, work] = [state.inputParams as Params, state.work as Work];
      const tests = work.tests ?? (await writeTests(params, { code: work.code, context }));
      if (tests === null) {
        return ended(params, { ...work, run: notRun('the model gave no tests.') });
      }
      const kit = testKit(languageName(params.language), work.code);
      if (kit === null) {
        const why = `the sandbox does not run ${params.language}.`;
        return ended(params, { ...work, tests, run: notRun(why) });
      }
      const run = await runTests({ kit, code: work.code, tests }, context);
      const isOver = run.passed !== false || (work.repairs ?? 0) >= REPAIRS;
      return isOver ? ended(params, { ...work, tests, run }) : { work: { tests, run } };
    },
  },
  {
    name: 'mend',
    description: 'Fixing what the tests found',
    run: async (state, context) => {
      const [params, work] = [state.inputParams as Params, state.work as Work];
      const repaired = await repair(params, work, context);
      if (repaired === null) return ended(params, work);
      return { work: { ...repaired, repairs: (work.repairs ?? 0) + 1 }, next: 'test' };
    },
  },
]);

function ended(
  { language }: Params,
  { code, explanation, tests, run }: Work,
): { readonly output: JsonObject; readonly next: string } {
  return {
    output: {
      code,
      explanation,
      tests,
      language: languageName(language),
      tests_passed: run?.passed ?? null,
      test_output: run?.output ?? null,
    },
    next: SKILL_DONE,
  };
}

const notRun = (why: string): TestRun => ({ passed: null, output: `Not run: ${why}` });

async function writeProgram(params: Params, context: SkillContext): Promise<CodeAnswer> {
  const { task, style, include_tests: withTests } = params;
  const language = languageName(params.language);
  const prompt = [
    `The task:\n${task}`,
    `Language: ${language}`,
    `Style: ${style}`,
    ...(withTests
      ? [
          'It will be tested: put the work into functions that others can import, and let nothing run on import.',
        ]
      : []),
  ].join('\n\n');
  const { llm } = context.services;
  const answer = await llm.ask({ system: WRITE_PROMPT, prompt });
  const found = readCode(answer, language);
  if (found !== null) return found;
  const again = await llm.ask({
    system: WRITE_PROMPT,
    prompt: `${prompt}\n\nThere was no ${language} program in your last answer. Answer with the whole program in one fenced block.`,
  });
  const second = readCode(again, language);
  if (second !== null) return second;
  throw new AppError(
    'SKILL_MODEL_ANSWER',
    `The model gave no program. It said: ${again.trim().slice(0, 200)} ${isRefusal(again) ? 'Ask for something else, or choose another model.' : 'A larger model may do better.'}`,
  );
}

async function explain(
  { task }: Params,
  { code, context }: { readonly code: string; readonly context: SkillContext },
): Promise<string> {
  const prompt = `The task:\n${task}\n\nThe program:\n${code}`;
  return (await askMaybe({ system: EXPLAIN_PROMPT, prompt }, context)).trim();
}

/** Empty where the model gives no answer: the program is still worth having without what follows it. */
async function askMaybe(
  request: SkillPrompt,
  { services: { llm } }: SkillContext,
): Promise<string> {
  try {
    return await llm.ask(request);
  } catch (error) {
    if (error instanceof AppError && error.code === 'SKILL_MODEL_ANSWER') return '';
    throw error;
  }
}

async function writeTests(
  params: Params,
  { code, context }: { readonly code: string; readonly context: SkillContext },
): Promise<string | null> {
  const language = languageName(params.language);
  const kit = testKit(language, code);
  const prompt = [
    `The task:\n${params.task}`,
    `The program${kit === null ? '' : `, in ${kit.solutionFile}`}:\n${code}`,
    kit === null ? `Write tests in ${language}.` : `Write ${kit.testFile}. ${kit.rules}`,
  ].join('\n\n');
  for (const hint of [
    '',
    '\n\nThere was no test file in your last answer. Answer with it in one fenced block.',
  ]) {
    const answer = await askMaybe({ system: TEST_PROMPT, prompt: prompt + hint }, context);
    const tests = readCode(answer, language)?.code;
    if (tests !== undefined) return tests;
  }
  return null;
}

/** The program and tests as the model repaired them; null where it changed nothing. */
async function repair(
  params: Params,
  { code, tests, run }: Work,
  context: SkillContext,
): Promise<Pick<Work, 'code' | 'tests'> | null> {
  const kit = testKit(languageName(params.language), code);
  if (kit === null || tests === null || run === undefined) return null;
  const prompt = [
    `The task:\n${params.task}`,
    `${kit.solutionFile}:\n${code}`,
    `${kit.testFile}:\n${tests}`,
    kit.rules,
    asData(run.output, 'output of the tests'),
  ].join('\n\n');
  const answer = await askMaybe({ system: REPAIR_PROMPT, prompt }, context);
  const found = readRepaired(answer, kit);
  const count = (text: string): number => text.match(kit.cases)?.length ?? 0;
  // Dropping tests must not count as passing them.
  const isWhole = found.tests !== null && count(found.tests) >= count(tests);
  const next = { code: found.code ?? code, tests: isWhole ? found.tests : tests };
  return next.code === code && next.tests === tests ? null : next;
}
