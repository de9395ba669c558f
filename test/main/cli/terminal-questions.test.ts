import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import type { RunEventOf } from '#contract/events/run-event.ts';
import { styleFor } from '#main/cli/style.ts';
import { TerminalQuestions } from '#main/cli/terminal-questions.ts';

const asked: RunEventOf<'interrupt'> = {
  ...{ type: 'interrupt', runId: 'r', seq: 1, at: 0, interruptId: 'q', kind: 'confirm' },
  ...{ title: 'A question', message: '', reasons: [], options: [], attentionMs: 1 },
};
const ofAgent = { toolCallId: 'c', toolName: 'ask_user' };
const options = [{ value: 'x', label: 'X' }];

/** What is answered when these lines are typed, one for each prompt. */
async function answered(
  question: Partial<RunEventOf<'interrupt'>>,
  lines: readonly string[],
  before = '',
): Promise<unknown> {
  const input = new PassThrough();
  input.write(before);
  const output = new PassThrough();
  return new Promise((resolve) => {
    const questions = new TerminalQuestions({
      api: {
        'runs.respond': ({ response }) => {
          resolve(response);
          return {};
        },
      },
      input: input as unknown as NodeJS.ReadStream,
      output: output as unknown as NodeJS.WriteStream,
      style: styleFor({}, {}),
      isShown: true,
      onInterrupt: () => resolve('interrupted'),
    });
    const rest = [...lines];
    output.on('data', (text: Buffer) => {
      if (text.toString().includes('> ')) input.write(`${rest.shift() ?? ''}\n`);
    });
    questions.ask({ ...asked, ...question });
  });
}

it.each([
  ['an option', { kind: 'decision', options, ...ofAgent }, ['1'], { action: 'select', value: 'x' }],
  [
    'own words instead of an option',
    { kind: 'decision', options, ...ofAgent },
    ['t', 'Neither'],
    { action: 'input', text: 'Neither' },
  ],
  [
    'own words that were empty at first',
    { kind: 'decision', options, ...ofAgent },
    ['t', ' ', 's'],
    { action: 'skip' },
  ],
  ['own words instead of yes or no', ofAgent, ['t', 'Later'], { action: 'input', text: 'Later' }],
  ['yes or no to the app itself', {}, ['t', 'n', 'why'], { action: 'deny', reason: 'why' }],
  ['a reason typed ahead of its prompt', {}, ['n\nwhy'], { action: 'deny', reason: 'why' }],
  [
    'a paste that was not understood, and has an answer in it',
    {},
    ['of\ny', 'n', 'why'],
    { action: 'deny', reason: 'why' },
  ],
  [
    'a paste that comes back to the first prompt by way of another one',
    { kind: 'checkpoint' },
    ['t\n\na', 'd', 'why'],
    { action: 'deny', reason: 'why' },
  ],
  [
    'a paste at the second prompt that comes back to the first one',
    { kind: 'checkpoint', parameters: { depth: 2 } },
    ['m', '{\na', 'm', '[]\na', 'd', 'why'],
    { action: 'deny', reason: 'why' },
  ],
] as const)('%s', async (_name, question, lines, expected) => {
  expect(await answered(question as Partial<RunEventOf<'interrupt'>>, lines)).toEqual(expected);
});

it('drops what was typed before the question', async () => {
  const argumentsSha256 = 'ab'.repeat(32);
  const approval = { kind: 'approval', argumentsSha256 } as const;
  expect(await answered(approval, ['d', 'no'], 'a\na\n')).toEqual({ action: 'deny', reason: 'no' });
});
