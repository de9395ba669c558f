import type { Episode } from './run-task.ts';
import type { Task, TaskGroup } from './tasks.ts';

export interface TaskResult {
  readonly task: Task;
  readonly episodes: readonly Episode[];
}

const GROUPS: Readonly<Record<TaskGroup, string>> = {
  accessible: 'tasks with accessible targets',
  drawn: 'drawn in svg or on a canvas',
  bare: 'nothing to act on in the accessibility tree',
};

/** A table of all tasks, then for each group the share that was done, and each miss with its reasons. */
export function renderReport(results: readonly TaskResult[]): string {
  const table = results.map(({ task, episodes }) => {
    const passed = `${passedOf(episodes)}/${episodes.length}`;
    const actions = mean(episodes.map((episode) => episode.actions)).toFixed(1);
    const seconds = (mean(episodes.map(({ ms }) => ms)) / 1000).toFixed(1);
    return `${task.name.padEnd(32)} ${task.group.padEnd(10)} ${passed}  ${actions.padStart(5)} actions ${seconds.padStart(5)} s`;
  });
  const groups = (['accessible', 'drawn', 'bare'] as const).flatMap((group) =>
    renderGroup(
      group,
      results.filter(({ task }) => task.group === group),
    ),
  );
  const total = results.flatMap(({ episodes }) => episodes).reduce((sum, { ms }) => sum + ms, 0);
  return `${[...table, '', ...groups, `${(total / 60_000).toFixed(1)} minutes`].join('\n')}\n`;
}

function renderGroup(group: TaskGroup, results: readonly TaskResult[]): string[] {
  if (results.length === 0) return [];
  const episodes = results.flatMap((result) => result.episodes);
  const whole = results.filter((result) => passedOf(result.episodes) === result.episodes.length);
  const head =
    `${GROUPS[group]}: ${whole.length} of ${results.length} tasks with every seed ` +
    `(${percent(whole.length, results.length)}), ${passedOf(episodes)} of ${episodes.length} episodes ` +
    `(${percent(passedOf(episodes), episodes.length)})`;
  const misses = results
    .filter((result) => !whole.includes(result))
    .flatMap(({ task, episodes: all }) => [
      `  ${task.name} ${passedOf(all)}/${all.length}`,
      ...reasons(all).map((reason) => `    ${reason}`),
    ]);
  return [head, ...misses, ''];
}

/** Each reason once, with its seeds. */
function reasons(episodes: readonly Episode[]): string[] {
  const seeds = new Map<string, number[]>();
  for (const { passed, reason, seed } of episodes) {
    if (!passed) seeds.set(reason, [...(seeds.get(reason) ?? []), seed]);
  }
  return [...seeds].map(([reason, of]) => `${reason} (seed ${of.join(', ')})`);
}

const passedOf = (episodes: readonly Episode[]): number =>
  episodes.filter(({ passed }) => passed).length;

const mean = (numbers: readonly number[]): number =>
  numbers.reduce((sum, number) => sum + number, 0) / Math.max(1, numbers.length);

const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(1)} %`;
