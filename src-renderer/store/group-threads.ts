import type { Thread } from '#contract/entities.ts';

export type ThreadAge = 'today' | 'yesterday' | 'week' | 'older';

export interface ThreadGroup {
  readonly age: ThreadAge;
  readonly threads: readonly Thread[];
}

const DAY_MS = 86_400_000;
const AGES: readonly ThreadAge[] = ['today', 'yesterday', 'week', 'older'];

/** Tasks by the calendar day of the last change, newest first; empty groups are left out. */
export function groupThreads(threads: readonly Thread[], now: number): readonly ThreadGroup[] {
  const byAge = new Map<ThreadAge, Thread[]>();
  const sorted = threads.toSorted((a, b) => b.updatedAt - a.updatedAt);
  for (const thread of sorted) {
    const age = ageOf(thread.updatedAt, now);
    const group = byAge.get(age);
    if (group === undefined) byAge.set(age, [thread]);
    else group.push(thread);
  }
  return AGES.flatMap((age) => {
    const group = byAge.get(age);
    return group === undefined ? [] : [{ age, threads: group }];
  });
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
