import type { ComputerSide, RunView } from './run-view.ts';

/** Higher ones are not put behind by lower ones: a plan or a report stays in front of what is worked with. */
const RANKS: Readonly<Record<ComputerSide, number>> = {
  terminal: 0,
  files: 0,
  sources: 0,
  plan: 1,
  report: 2,
};

/** Brings a side of the computer forward, unless one that matters more is there. */
export function suggest(view: RunView, suggested: ComputerSide): RunView {
  const before = view.workspace.suggested;
  if (before === suggested) return view;
  if (before !== null && RANKS[before] > RANKS[suggested]) return view;
  return { ...view, workspace: { ...view.workspace, suggested } };
}
