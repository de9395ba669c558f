import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { RepetitionWatch } from '#main/models/repetition-watch.ts';
import { CHAT_PATHS, failureOf, openOn, type Protocol, send } from './harness.ts';

/** A model that is stuck is stopped, and one that writes much is not. */

/** How many characters are written before it is stopped; null if it never is. */
function stoppedAfter(text: string, pieceChars = 4): number | null {
  const watch = new RepetitionWatch();
  for (let at = 0; at < text.length; at += pieceChars) {
    try {
      watch.push(text.slice(at, at + pieceChars));
    } catch {
      return at + pieceChars;
    }
  }
  return null;
}

const repeated = (text: string, chars: number): string =>
  text.repeat(Math.ceil(chars / text.length));
const before = Array.from({ length: 200 }, (_, i) => `Line ${i} of what it wrote before.`).join(
  '\n',
);

test.each([
  ['a character', '!'],
  ['a word', 'the '],
  ['a row of digits', '0, '],
  ['a sentence', 'Wait, let me check the file again. '],
  [
    'two sentences',
    'I should read the table. But first I should list the folder, as it may have changed.\n',
  ],
  [
    'a paragraph',
    'The total is computed from the rows above, each of which has a price. '.repeat(9),
  ],
  ['Chinese', '让我再检查一次文件。'],
  ['a block of JSON', `{"name":"shell_command","arguments":{"command":"ls -la /workspace"}}\n`],
])('%s without end is stopped', (_name, text) => {
  const stopped = stoppedAfter(before + repeated(text, 60_000));
  expect(stopped).toBeGreaterThan(before.length + 4_000);
  expect(stopped).toBeLessThan(before.length + 14_000);
});

const table = ['| Region | Items |', '|---|---:|'];
for (let i = 0; i < 450; i += 1) table.push(`| ${i % 7 === 0 ? 'North' : 'South'} | ${i % 3} |`);
const refrain =
  'And the rain it falls on the roof of the town,\nand nobody knows when it will come down.\n';
const poem = Array.from(
  { length: 80 },
  (_, i) =>
    `The ${i}th of the bells rang over the sea,\nand ${i + 2} of the boats came home to me.\n${refrain}`,
).join('\n');
const markup = Array.from(
  { length: 300 },
  (_, i) => `<tr>\n  <td>0</td>\n  <td>0</td>\n  <td>${i}</td>\n</tr>`,
).join('\n');

test.each([
  ['a table of 450 rows of which many are equal', table.join('\n')],
  ['a poem with a refrain', poem],
  ['rows of markup', markup],
  ['numbers', Array.from({ length: 9_000 }, (_, i) => `${i}: ${(i * i) % 10}`).join('\n')],
  ['a matrix of zeros of 50 by 50', repeated(`${'0 '.repeat(50)}\n`, 5_000)],
  ['a rule of 3,000 characters', '='.repeat(3_000)],
  [
    'nine equal placeholders',
    repeated(`<p>${'Lorem ipsum dolor sit amet. '.repeat(36)}</p>\n`, 9_000),
  ],
  ['the changelog', readFileSync(join(process.cwd(), 'CHANGELOG.md'), 'utf8')],
  ['code', readFileSync(join(process.cwd(), 'src-main/compose.ts'), 'utf8')],
  ['a lock file', readFileSync(join(process.cwd(), 'package-lock.json'), 'utf8').slice(0, 300_000)],
])('%s passes', (_name, text) => {
  expect(stoppedAfter(text, 40)).toBeNull();
});

const stuck = { text: repeated('Let me look at it again. ', 200_000), whole: true as const };
const PROTOCOLS = Object.keys(CHAT_PATHS) as Protocol[];

test.each(PROTOCOLS)('%s: an answer that is stuck ends, with the text so far', async (protocol) => {
  const steps = Array.from({ length: 40 }, () => ({ ...stuck, text: stuck.text.slice(0, 2_000) }));
  await using setup = await openOn(protocol, { turns: [{ steps: [...steps, { stall: true }] }] });
  const failure = await failureOf(send(setup.model, { tools: [] }));
  expect([failure.code, failure.message]).toEqual([
    'MODEL_OUTPUT_INCOMPLETE',
    expect.stringContaining('over and over'),
  ]);
  expect(String(failure.details.partial)).toContain('Let me look at it again.');
});

test.each(['ollama', 'openai-compatible'] as const)('%s: so does thinking', async (protocol) => {
  const thinking = repeated('Wait, let me check once more. ', 40_000);
  await using setup = await openOn(protocol, {
    turns: [{ steps: [{ thinking }, { stall: true }] }],
  });
  expect((await failureOf(send(setup.model))).code).toBe('MODEL_OUTPUT_INCOMPLETE');
});

test('so do the arguments of a call', async () => {
  const rawArguments = `{"command": "${repeated('echo again; ', 40_000)}`;
  const call = { name: 'shell_command', arguments: {}, rawArguments, pieces: 4_000 };
  await using setup = await openOn('openai-compatible', {
    turns: [{ steps: [{ call }, { stall: true }] }],
  });
  expect((await failureOf(send(setup.model))).code).toBe('MODEL_OUTPUT_INCOMPLETE');
});
