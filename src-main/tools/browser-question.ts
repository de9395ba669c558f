import { visibleSegments } from '#contract/visible-text.ts';
import type { ShownForm } from '../browser/types.ts';

/** Characters of what a page says, in the question and in each line below it. */
const TITLE_CHARS = 80;
const LINE_CHARS = 300;
const SHOWN_FIELDS = 20;

/** What a page says, for the question itself: quoted. */
export function quoted(text: string): string {
  return `"${shown(text, TITLE_CHARS)}"`;
}

/** A line of what a page says. */
export function lineOf(text: string): string {
  return shown(text, LINE_CHARS);
}

/** What a form sends, and where: a line for each filled field. */
export function describeForm({ method, action, fields }: ShownForm): string[] {
  const filled = fields.filter(({ value }) => value !== '');
  const rest = filled.length - SHOWN_FIELDS;
  return [
    `It sends a form to ${lineOf(action)} (${method.toUpperCase()})${filled.length === 0 ? '.' : ':'}`,
    ...filled
      .slice(0, SHOWN_FIELDS)
      .map(({ name, value }) => `- ${shown(name, TITLE_CHARS)}: ${lineOf(value)}`),
    ...(rest > 0 ? [`- and ${rest} more ${rest === 1 ? 'field' : 'fields'}`] : []),
  ];
}

/** One line, of bounded length, in which every character is visible, wherever it is shown. */
function shown(text: string, most: number): string {
  const part =
    text.length > most ? `${text.slice(0, most).replace(/[\ud800-\udbff]$/, '')}…` : text;
  return visibleSegments(part.replace(/[\n\t]+/g, ' '))
    .map((segment) => (segment.hidden ? `[${segment.text.slice(1, -1)}]` : segment.text))
    .join('');
}
