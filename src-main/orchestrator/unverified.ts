import type { Fact, PlanStepState } from '#contract/plans.ts';
import type { PlanState } from './plan-state.ts';

/** Whether the results of a plan fall short of the task. */
export function fallsShort({ plan, judgement }: PlanState): boolean {
  return plan.steps.some(({ status }) => status === 'failed') || judgement?.isDone === false;
}

/** What went wrong, for the planner of the next revision. */
export function describeFailure(state: PlanState): string {
  const failed = state.plan.steps.filter(({ status }) => status === 'failed');
  const problems = failed.map(({ id, title, facts }) => {
    const missing = facts.filter(({ holds }) => !holds);
    const unconfirmed = missing.map(({ claim, evidence }) => `not shown: ${claim} (${evidence})`);
    const result = (state.results[id] ?? '').slice(0, 600);
    return [`"${title}" failed.`, ...unconfirmed, `It said: ${result}`].join('\n');
  });
  const { judgement } = state;
  if (judgement !== null && !judgement.isDone && judgement.missing !== '') {
    problems.push(`Missing in the results: ${judgement.missing}`);
  }
  return problems.length === 0
    ? 'The results are not what the task asked for.'
    : problems.join('\n\n');
}

const NOT_JUDGED =
  'Whether the results are what the task asked for: the model that compares them gave no clear answer';

const NOTHING_SHOWN =
  'Whether the steps did what they say: none of them named evidence, and their answers claim nothing that could be checked';

/** Neither code nor a model had anything to check it by. */
function isUnchecked({ facts, expectedEvidence }: PlanStepState): boolean {
  return facts.length === 0 && expectedEvidence.length === 0;
}

/** Everything that the checks could not confirm, in words for the user. */
export function unverifiedClaims({ plan, judgement }: PlanState): string[] {
  const unverified = plan.steps.flatMap(({ title, status, facts, summary }) => {
    if (status === 'skipped') return [`${title}: skipped. ${summary}`];
    const missing = facts.filter(({ holds }) => !holds);
    return missing.map(({ claim, evidence }) => `${title}: ${claim}. ${evidence}`);
  });
  if (unverified.length === 0 && plan.steps.every(isUnchecked)) unverified.push(NOTHING_SHOWN);
  if (judgement !== null && !judgement.isDone) {
    unverified.push(judgement.missing || 'The results are not what the task asked for');
  } else if (judgement?.isClear === false) {
    unverified.push(NOT_JUDGED);
  }
  return unverified;
}

/** The evidence that the plan was carried out: facts of its steps, and the judgement of the whole. */
export function shownFacts({ plan, judgement }: PlanState): Fact[] {
  const shown = plan.steps.flatMap(({ facts }) => facts.filter(({ holds }) => holds));
  if (judgement?.isClear !== true || !judgement.isDone) return shown;
  const claim = 'A model compared the results with the task';
  return [...shown, { claim, holds: true, evidence: 'It found nothing missing.' }];
}

export function unverifiedFact(claim: string): Fact {
  return { claim, holds: false, evidence: '' };
}

/** The answer, followed by what could not be verified, in the language of the task. */
export function withUnverified(answer: string, missing: readonly string[], prompt: string): string {
  if (missing.length === 0) return answer;
  const isChinese = /[\u4e00-\u9fff]/.test(prompt);
  const head = isChinese
    ? '**未经证实。** 以下内容没有得到检查的支持：'
    : '**Not verified.** No check could confirm this:';
  const list = missing.map((one) => `- ${one.replaceAll('\n', ' ')}`).join('\n');
  return `${answer.trimEnd()}\n\n${head}\n\n${list}`;
}
