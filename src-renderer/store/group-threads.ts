import type { Thread } from '#contract/entities.ts';

/** Where a task stands in the list. */
export type ThreadAge = 'pinned' | 'today' | 'yesterday' | 'week' | 'older' | 'archived';

export interface ThreadGroup {
  readonly age: ThreadAge;
  readonly threads: readonly Thread[];
}

const DAY_MS = 86_400_000;
const AGES: readonly ThreadAge[] = ['pinned', 'today', 'yesterday', 'week', 'older', 'archived'];

/**
 * Tasks by the calendar day of the last change, newest first; pinned ones before, archived ones after them.
 * Empty groups are left out.
 */
export function groupThreads(threads: readonly Thread[], now: number): readonly ThreadGroup[] {
  const byAge = new Map<ThreadAge, Thread[]>();
  const sorted = threads.toSorted((a, b) => b.updatedAt - a.updatedAt);
  for (const thread of sorted) {
    const age = groupOf(thread, now);
    const group = byAge.get(age);
    if (group === undefined) byAge.set(age, [thread]);
    else group.push(thread);
  }
  return AGES.flatMap((age) => {
    const group = byAge.get(age);
    return group === undefined ? [] : [{ age, threads: group }];
  });
}

function groupOf({ updatedAt, pinnedAt, archivedAt }: Thread, now: number): ThreadAge {
  if (archivedAt !== null) return 'archived';
  return pinnedAt === null ? ageOf(updatedAt, now) : 'pinned';
}

function ageOf(at: number, now: number): ThreadAge {
  // Rounded, because a day with a change of clocks has 23 or 25 hours.
  const days = Math.round((startOfDay(now) - startOfDay(at)) / DAY_MS);
  if (days <= 0) return 'today';
  if (days === 1) return 'yesterday';
  return days <= 7 ? 'week' : 'older';
}

function startOfDay(at: number): number {
  const date = new Date(at);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}
