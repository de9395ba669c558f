import type { RunView } from './run-view.ts';

/** A tab gives way only to one of the same or a higher rank: a plan or report stays before files and output. */
const RANKS = {
  terminal: 0,
  browser: 0,
  files: 0,
  app: 1,
  sources: 0,
  plan: 1,
  report: 2,
} as const;

/** Computer tabs that can come forward by themselves. */
export type ComputerSide = keyof typeof RANKS;

/** Brings a computer tab forward, unless one of higher rank is shown. */
export function suggest(view: RunView, suggested: ComputerSide): RunView {
  const before = view.workspace.suggested;
  if (before === suggested) return view;
  if (before !== null && RANKS[before] > RANKS[suggested]) return view;
  return { ...view, workspace: { ...view.workspace, suggested } };
}
