import type { TaskPage } from '../task-page.ts';

/**
 * Does a task, as a capable model would: it reads only what actions return, and acts only by actions. Throws where
 * the view lacks what it needs.
 */
export type Oracle = (page: TaskPage) => Promise<void>;

/** By the names of the tasks. */
export type Oracles = Readonly<Record<string, Oracle>>;

/** The number that an ordinal names: `2nd`, `3rd`. */
export function ordinal(text: string): number {
  return Number.parseInt(text, 10);
}

export function within(number: number, least: number, most: number): boolean {
  return number >= least && number <= most;
}
