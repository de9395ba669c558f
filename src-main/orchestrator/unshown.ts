import type { PlanState } from './plan-state.ts';

/** Whether a plan was carried out and does not give what was asked for. */
export function isLessThanAsked({ plan, judgement }: PlanState): boolean {
  return plan.steps.some(({ status }) => status === 'failed') || judgement?.isDone === false;
}

/** What went wrong, for whoever plans again. */
export function failureOf(state: PlanState): string {
  const failed = state.plan.steps.filter(({ status }) => status === 'failed');
  const told = failed.map(({ id, title, facts }) => {
    const missing = facts.filter(({ holds }) => !holds);
    const unshown = missing.map(({ claim, evidence }) => `not shown: ${claim} (${evidence})`);
    const result = (state.results[id] ?? '').slice(0, 600);
    return [`"${title}" failed.`, ...unshown, `It said: ${result}`].join('\n');
  });
  const { judgement } = state;
  if (judgement !== null && !judgement.isDone && judgement.missing !== '') {
    told.push(`Missing in the results: ${judgement.missing}`);
  }
  return told.length === 0 ? 'The results are not what the task asked for.' : told.join('\n\n');
}

/** Everything that was to be shown and was not, in words for the person. */
export function notShown({ plan, judgement }: PlanState): string[] {
  const unshown = plan.steps.flatMap(({ title, status, facts }) => {
    if (status === 'skipped') return [`${title}: not done, for a step before it failed`];
    const missing = facts.filter(({ holds }) => !holds);
    return missing.map(({ claim, evidence }) => `${title}: ${claim}. ${evidence}`);
  });
  if (judgement !== null && !judgement.isDone) {
    unshown.push(judgement.missing || 'The results are not what the task asked for');
  }
  return unshown;
}

/** The answer with what was not shown at its end, in the language of the task. */
export function withNotShown(answer: string, missing: readonly string[], prompt: string): string {
  if (missing.length === 0) return answer;
  const isChinese = /[\u4e00-\u9fff]/.test(prompt);
  const head = isChinese
    ? '**未经证实。** 以下内容没有得到检查的支持：'
    : '**Not verified.** No check could show this:';
  const list = missing.map((one) => `- ${one.replaceAll('\n', ' ')}`).join('\n');
  return `${answer.trimEnd()}\n\n${head}\n\n${list}`;
}
