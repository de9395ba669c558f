import type { AppState, CheckedApp } from './types.ts';

/** How far an app gets, by the problem that stops it; without one of these its page is there. */
const STOPS: Readonly<Record<string, number>> = {
  ...{ server: 0, no_answer: 0, overlay: 1, stuck: 2, blank: 2 },
};
const SHOWN = 3;

/** Whether the page of the app shows itself, so that tests can use it. */
export function isShown({ problems }: CheckedApp): boolean {
  return stageOf(problems) === SHOWN;
}

function stageOf(problems: CheckedApp['problems']): number {
  return Math.min(SHOWN, ...problems.map(({ kind }) => STOPS[kind] ?? SHOWN));
}

/** What is wrong: problems of the page, and points that no test showed. */
export function faultsOf({ checked, points }: AppState): number {
  return checked.problems.length + points.filter(({ shown }) => !shown).length;
}

/** Below 0 where `a` is worse than `b`, above 0 where it is better: how far it gets, then how much is wrong. */
export function compareStates(a: AppState, b: AppState): number {
  const stages = stageOf(a.checked.problems) - stageOf(b.checked.problems);
  return stages === 0 ? faultsOf(b) - faultsOf(a) : stages;
}
