import type { z } from 'zod';

/** The slots of the contract as models write them. */
const SLOTS: readonly (readonly [RegExp, string])[] = [
  [/^picture\.path/, 'image'],
  [/^picture\.alt/, 'alt'],
  [/^(left|right)\.items/, '$1'],
  [/^(left|right)\.heading/, '$1_title'],
  [/^chart\.xTitle/, 'chart.x_title'],
  [/^chart\.yTitle/, 'chart.y_title'],
  [/\.picture\.path$/, '.image'],
  [/\.picture\.alt$/, '.alt'],
];

/** What is too long or too many in a slide, a sentence each. Nothing is ever cut. */
export function limitProblems({ issues }: z.ZodError): string[] {
  return issues.map((issue) => {
    const slot = slotOf(issue.path);
    if (issue.code !== 'too_big') return `${slot}: ${issue.message}.`;
    const most = Number(issue.maximum).toLocaleString('en-US');
    if (issue.origin === 'string') {
      const { length } = String(issue.input);
      return `${slot} has ${length.toLocaleString('en-US')} characters; ${most} is the most. Shorten it.`;
    }
    const { length } = issue.input as readonly unknown[];
    const isData = /^(?:chart|rows)/.test(slot);
    const other = slot === 'columns' ? 'Choose fewer columns.' : 'Split the slide.';
    const advice = isData ? 'Aggregate the data first.' : other;
    return `${slot} has ${length.toLocaleString('en-US')} entries; ${most} is the most. ${advice}`;
  });
}

/** `people.0.name` is “people, entry 1, name”. */
function slotOf(path: readonly PropertyKey[]): string {
  const dotted = path.map(String).join('.');
  const named = SLOTS.reduce((text, [from, to]) => text.replace(from, to), dotted);
  return named.replace(/\.(\d+)\.?/g, (_, at: string) => `, entry ${Number(at) + 1}, `).trim();
}
