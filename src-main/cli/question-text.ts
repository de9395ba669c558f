import { reviewText } from '#contract/deceptive-text.ts';
import { diffLines } from '#contract/diff-lines.ts';
import type { WaitingQuestion } from '#contract/events/hitl.ts';
import { makeVisible } from '#contract/visible-text.ts';
import type { Style } from './style.ts';

/** The fields of a question that are shown. */
export type AskedQuestion = Pick<
  WaitingQuestion,
  'title' | 'message' | 'why' | 'reasons' | 'argumentsText' | 'options' | 'parameters' | 'change'
>;

/** A question in full, with nothing hidden: this is what the user approves. */
export function describeQuestion(question: AskedQuestion, style: Style): string {
  const { title, message, why, reasons, argumentsText, options, parameters, change } = question;
  return [
    `${style.yellow('?')} ${style.bold(makeVisible(title))}`,
    ...(message === '' ? [] : [`  ${makeVisible(message)}`]),
    ...(why === undefined ? [] : [`  ${makeVisible(why)}`]),
    ...reasons.map((reason) => `  - ${makeVisible(reason)}`),
    ...(argumentsText === undefined ? [] : describeArguments(argumentsText)),
    ...(change === undefined ? [] : describeChange(change, style)),
    ...Object.entries(parameters ?? {}).map(
      ([name, value]) => `  ${makeVisible(name)} = ${makeVisible(JSON.stringify(value))}`,
    ),
    ...options.map(({ label, description }, index) => {
      const meaning = description === undefined ? '' : `: ${makeVisible(description)}`;
      return `  ${index + 1}. ${makeVisible(label)}${meaning}`;
    }),
  ].join('\n');
}

/** A file change as a line diff. Never shortened, because the user approves it. */
function describeChange(
  { path, before, after, note }: NonNullable<AskedQuestion['change']>,
  style: Style,
): string[] {
  const head = `  ${makeVisible(path)}${note === '' ? '' : `: ${makeVisible(note)}`}`;
  if (before === null && after === null) return [head];
  const lines = diffLines(before ?? '', after ?? '').map(({ kind, text }) => {
    const line = `  ${kind === 'same' ? ' ' : kind === 'added' ? '+' : '-'} ${makeVisible(text)}`;
    return kind === 'same' ? style.dim(line) : line;
  });
  return [head, ...lines];
}

/** Arguments of a call. A program is shown as it is, after the other arguments. */
function describeArguments(argumentsText: string): string[] {
  const { code, command, ...others } = parseObject(argumentsText);
  const program = typeof code === 'string' ? code : typeof command === 'string' ? command : null;
  if (program === null) return [`  ${reviewText(argumentsText)}`];
  const rest = typeof code === 'string' && command !== undefined ? { ...others, command } : others;
  return [
    ...(Object.keys(rest).length === 0 ? [] : [`  ${reviewText(JSON.stringify(rest))}`]),
    ...reviewText(program)
      .split('\n')
      .map((line) => `  | ${line}`),
  ];
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>;
  } catch {
    // Not JSON: the text itself is shown.
    return {};
  }
}
