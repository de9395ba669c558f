import type { RunEventOf } from '#contract/events/run-event.ts';
import { makeVisible } from '#contract/visible-text.ts';
import type { Style } from './style.ts';

/** A question in full and with nothing hidden: this is what the person agrees to. */
export function describeQuestion(question: RunEventOf<'interrupt'>, style: Style): string {
  const { title, message, reasons, argumentsText, options } = question;
  return [
    `${style.yellow('?')} ${style.bold(makeVisible(title))}`,
    ...(message === '' ? [] : [`  ${makeVisible(message)}`]),
    ...reasons.map((reason) => `  - ${makeVisible(reason)}`),
    ...(argumentsText === undefined ? [] : [`  ${makeVisible(argumentsText)}`]),
    ...options.map(({ label, description }, index) => {
      const meaning = description === undefined ? '' : `: ${makeVisible(description)}`;
      return `  ${index + 1}. ${makeVisible(label)}${meaning}`;
    }),
  ].join('\n');
}
