import type { Evidence } from '#contract/plans.ts';
import type { MadeCall } from '../../agents/types.ts';
import type { RunEgress } from '../../egress/app-egress.ts';
import type { Workspace } from '../../sandbox/types.ts';
import { checkExitCode } from './exit-codes.ts';
import { checkFigure } from './figure-facts.ts';
import { checkFile } from './file-opens.ts';
import { checkPage } from './page-answers.ts';
import { isAboutTests } from './test-claims.ts';
import { checkTests, type RunTests } from './test-facts.ts';
import type { CheckedFact } from './types.ts';

/** The result of a step, and where to look for evidence. */
export interface EvidenceContext {
  readonly files: Pick<Workspace, 'read' | 'list'>;
  readonly egress: RunEgress;
  /** Of the step. */
  readonly calls: readonly MadeCall[];
  /** Of the run before it, oldest first: a step may rest on what another one showed. */
  readonly earlierCalls: readonly MadeCall[];
  readonly answer: string;
  /** The user's own words. */
  readonly prompt: string;
  /** Runs the project's tests. */
  readonly runTests: RunTests;
  /** Runs code in the sandbox and returns whether it ended without error; used for pages served there. */
  readonly probe: (code: string) => Promise<boolean>;
  readonly signal: AbortSignal;
}

/**
 * Checks by code whether a step was done. Evidence of kind `judgement` is left to the judge and yields no
 * fact.
 */
export async function checkEvidence(
  expected: readonly Evidence[],
  context: EvidenceContext,
): Promise<CheckedFact[]> {
  const facts: CheckedFact[] = [];
  for (const { kind, target } of expected) {
    context.signal.throwIfAborted();
    switch (kind) {
      case 'file':
        facts.push(await checkFile(context.files, target));
        break;
      case 'exit_code':
        facts.push(await checkCommand(target, context));
        break;
      case 'page':
        facts.push(await checkPage(target, context));
        break;
      case 'figure':
        facts.push(await checkFigure(target, context));
        break;
      case 'judgement':
        break;
    }
  }
  return facts;
}

/** The app runs tests itself; of other programs it knows the exit codes. */
async function checkCommand(target: string, context: EvidenceContext): Promise<CheckedFact> {
  if (!isAboutTests(target)) return checkExitCode(target, context);
  const claim = `"${target}" ran without error`;
  const calls = [...context.earlierCalls, ...context.calls];
  const said = {
    pass: true,
    passed: null,
    failed: null,
    tellsSkipped: false,
    files: [],
    words: '',
  };
  return await checkTests(claim, said, { ...context, calls });
}
