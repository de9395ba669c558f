import type { ResultLine } from './results.ts';
import type { SetResult, TaskResult } from './types.ts';

/** One evaluation as a table, followed by the failed tasks. */
export function evalTable(model: string, results: readonly SetResult[]): string {
  const ran = results.filter(({ skipped }) => skipped === null);
  const all = { set: 'all', skipped: null, tasks: ran.flatMap(({ tasks }) => tasks) };
  const lines = [
    `model ${model}`,
    'set           tasks  passed    share   requests    tokens   seconds',
    ...results.map((result) => (result.skipped === null ? row(result) : skippedRow(result))),
    row(all),
  ];
  const failed = all.tasks.filter(({ pass }) => !pass);
  const shown = failed.map(({ set, task, why }) => `FAIL  ${set} / ${task}: ${clip(why)}`);
  return [...lines, ...(shown.length === 0 ? [] : ['', ...shown])].join('\n');
}

/** The newest evaluation of each model for each set, side by side. */
export function compareTable(lines: readonly ResultLine[]): string {
  if (lines.length === 0) return 'No results yet.';
  const models = [...new Set(lines.map(({ model }) => model))].sort();
  const sets = [...new Set(lines.map(({ set }) => set))];
  const width = Math.max(22, ...models.map((model) => model.length + 2));
  const cell = (text: string): string => text.padStart(width);
  const newest = (model: string, set: string): ResultLine[] => {
    const own = lines.filter((line) => line.model === model && line.set === set);
    const date = own.reduce((latest, line) => (line.date > latest ? line.date : latest), '');
    return own.filter((line) => line.date === date);
  };
  return [
    `${'passed'.padEnd(14)}${models.map(cell).join('')}`,
    ...sets.map((set) => {
      const cells = models.map((model) => {
        const tasks = newest(model, set);
        return cell(tasks.length === 0 ? '–' : `${passed(tasks)}/${tasks.length} ${share(tasks)}`);
      });
      return `${set.padEnd(14)}${cells.join('')}`;
    }),
    `${'seconds'.padEnd(14)}${models
      .map((model) => {
        const total = sets
          .flatMap((set) => newest(model, set))
          .reduce((sum, { seconds }) => sum + seconds, 0);
        return cell(total.toFixed(1));
      })
      .join('')}`,
  ].join('\n');
}

function row({ set, tasks }: SetResult): string {
  const sum = (of: (task: TaskResult) => number): number =>
    tasks.reduce((total, task) => total + of(task), 0);
  return [
    set.padEnd(14),
    String(tasks.length).padStart(5),
    String(passed(tasks)).padStart(8),
    share(tasks).padStart(9),
    String(sum(({ requests }) => requests)).padStart(11),
    String(sum(({ tokens }) => tokens)).padStart(10),
    sum(({ seconds }) => seconds)
      .toFixed(1)
      .padStart(10),
  ].join('');
}

function skippedRow({ set, skipped }: SetResult): string {
  return `${set.padEnd(14)}skipped: ${skipped}`;
}

function passed(tasks: readonly { readonly pass: boolean }[]): number {
  return tasks.filter(({ pass }) => pass).length;
}

function share(tasks: readonly { readonly pass: boolean }[]): string {
  return tasks.length === 0 ? '–' : `${((100 * passed(tasks)) / tasks.length).toFixed(1)} %`;
}

function clip(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > 300 ? `${line.slice(0, 299)}…` : line;
}
