import type { AgentContext, MadeCall } from '../agents/types.ts';
import { checkClaims, checkFileClaims } from './evidence/claims.ts';
import { checkStatedFigures, hasDataFor } from './evidence/figure-facts.ts';
import { checkPageClaims } from './evidence/page-claims.ts';
import type { RunTests } from './evidence/test-facts.ts';
import type { StepResult } from './plan-store.ts';
import type { OrchestratedTask } from './types.ts';

/** What the answer that closes a plan claims beyond the results of the steps, and nothing shows, in words. */
export async function checkFinalAnswer(
  answer: string,
  {
    context,
    results,
    task,
    calls,
    runTests,
  }: {
    readonly context: AgentContext;
    readonly results: readonly StepResult[];
    readonly task: Pick<OrchestratedTask, 'prompt' | 'attachments' | 'messages'>;
    /** Of the whole run. */
    readonly calls: readonly MadeCall[];
    readonly runTests: RunTests;
  },
): Promise<string[]> {
  const { prompt } = task;
  const files = context.sandbox.workspace;
  const facts = results.flatMap(({ step }) => step.facts);
  const hasTests = facts.some(({ claim }) => /\btests?\b/i.test(claim));
  const claims = hasTests
    ? await checkFileClaims(answer, files)
    : await checkClaims(answer, { files, calls, prompt, runTests });
  const given = results.map(({ result }) => result).join('\n');
  const hasData = hasDataFor(task, calls);
  const figures = await checkStatedFigures(answer, { calls, prompt, given, hasData });
  const checked = new Set(facts.map(({ claim }) => claim));
  const pages = checkPageClaims(answer, calls, { prompt }).filter(
    ({ claim }) => !checked.has(claim),
  );
  return [...claims, ...figures, ...pages]
    .filter(({ holds }) => !holds)
    .map(({ claim, evidence }) => `${claim}. ${evidence}`);
}
