/** What a model writes of a step that decides when it may run. */
export interface OrderedDraft {
  readonly id: string;
  readonly title: string;
  readonly depends_on: readonly string[];
}

/**
 * For each step, the positions of those that it needs. Models name steps by id, number or title; names that
 * no step has are left out, and a step does not need itself.
 */
export function neededSteps(drafts: readonly OrderedDraft[]): number[][] {
  const byName = new Map<string, number>();
  for (const [position, { id, title }] of drafts.entries()) {
    for (const name of [id, String(position + 1), `step ${position + 1}`, title]) {
      if (!byName.has(plain(name))) byName.set(plain(name), position);
    }
  }
  return drafts.map(({ depends_on }, position) => {
    const needed = depends_on.flatMap((name) => byName.get(plain(name)) ?? []);
    return [...new Set(needed)].filter((one) => one !== position);
  });
}

/**
 * The positions in an order in which each step comes after those that it needs, and otherwise as they were
 * written. `cycle`: the positions of steps that wait for each other; empty if the order is whole.
 */
export function stepOrder(needed: readonly (readonly number[])[]): {
  readonly order: readonly number[];
  readonly cycle: readonly number[];
} {
  const order: number[] = [];
  const done = new Set<number>();
  for (;;) {
    const next = needed.findIndex(
      (some, position) => !done.has(position) && some.every((one) => done.has(one)),
    );
    if (next < 0) break;
    done.add(next);
    order.push(next);
  }
  return {
    order,
    cycle: needed.flatMap((_some, position) => (done.has(position) ? [] : [position])),
  };
}

function plain(name: string): string {
  return name.trim().toLowerCase();
}
