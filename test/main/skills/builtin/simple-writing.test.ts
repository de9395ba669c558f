import { expect, test } from 'vitest';
import { DocumentReader } from '#main/documents/document-reader.ts';
import { freeFileName } from '#main/skills/builtin/simple-writing/file-name.ts';
import { tidySection, tidyText } from '#main/skills/builtin/simple-writing/tidy-text.ts';
import { countWords } from '#main/skills/builtin/simple-writing/word-count.ts';
import { isRefusal } from '#main/skills/refusal.ts';
import type { DirectedRequest } from '../../../fakes/directed-model.ts';
import { inOrder, openSkillBench, playExample } from '../../../fakes/skill-bench.ts';

const outline = (headings: readonly string[]) => ({
  title: 'On Bees',
  sections: headings.map((heading) => ({ heading, points: `What there is about ${heading}.` })),
});
const isOutline = ({ system }: DirectedRequest): boolean => system.startsWith('You outline');
const request = { request: 'Something on bees.' };

test('the example in its folder; the Word document holds the same text', async () => {
  const { example, played, bench } = await playExample('simple_writing');
  expect(played.output).toMatchObject(example.expected);
  expect(played.stages).toEqual(['outline', 'write', 'save']);
  const { threadId } = played.run;
  expect(await bench.file(threadId, 'borrowing-tools.md')).toBe(`${played.output.content}\n`);
  await using reader = new DocumentReader(process.cwd());
  const bytes = await bench.bytes(threadId, 'borrowing-tools.docx');
  const { text } = await reader.extractText(bytes, { name: 'x.docx' });
  // Apart from marks, every word of one is in the other, in order.
  const words = (of: string): string[] => of.match(/[\p{L}\p{N}]+/gu) ?? [];
  expect(words(text)).toEqual(words(String(played.output.content)));
  expect(played.of('workspace_update').map(({ path, operation }) => [path, operation])).toEqual([
    ['borrowing-tools.md', 'create'],
    ['borrowing-tools.docx', 'create'],
  ]);
  const [planned, written] = bench.requests;
  expect(planned?.turn).toContain('Readers: new colleagues');
  expect(written?.turn).toContain('1. Take: Sign the list before you take a tool.');
});

test('a long article is written section by section, each shown where the one before ends', async () => {
  const headings = ['Hive', 'Honey', 'Winter'];
  const bench = await openSkillBench((asked) => {
    if (isOutline(asked)) return { content: JSON.stringify(outline(headings)) };
    const [, heading = ''] = /Write section \d+, "(.*?)"/.exec(asked.turn) ?? [];
    return {
      content: `## ${heading}\n\nAll about ${heading}.\n\n# Details\n\nThe end of ${heading}.`,
    };
  });
  const { output, stages, of } = await bench.invoke('simple_writing', {
    ...request,
    ...{ type: 'article', length: 'long' },
  });
  const section = (name: string): string =>
    `## ${name}\n\nAll about ${name}.\n\n### Details\n\nThe end of ${name}.`;
  expect(output.content).toBe(`# On Bees\n\n${headings.map(section).join('\n\n')}`);
  expect(output.docx_path).toBeNull();
  expect(bench.requests[2]?.turn).toContain('The end of Hive.');
  expect(bench.requests[2]?.turn).not.toContain('All about Honey.');
  expect(stages).toEqual(['outline', 'write', 'save']);
  expect(of('stage').map(({ description }) => description)).toContain('Section 2 of 3: Honey');
});

test('an e-mail has subject, greeting, body and closing, and no outline', async () => {
  const email = {
    ...{ subject: 'Meeting on Friday', greeting: 'Dear Mr. Ito,' },
    ...{ body: 'shall we meet at [time]?\n\n- Room 3', closing: 'Kind regards\nLea' },
  };
  const bench = await openSkillBench(inOrder([{ ...email, body: '' }, email]));
  const { output, stages } = await bench.invoke('simple_writing', { ...request, type: 'email' });
  expect(output).toMatchObject({
    ...{ title: 'Meeting on Friday', email, path: 'meeting-on-friday.md' },
    content:
      '# Meeting on Friday\n\nDear Mr. Ito,\n\nshall we meet at [time]?\n\n- Room 3\n\nKind regards  \nLea',
  });
  expect(stages).toEqual(['write', 'save']);
  // The first answer had no body, and was asked for again.
  expect(bench.requests).toHaveLength(2);
});

test('a file that is there is not written over', async () => {
  const answers = [outline(['Hive']), '## Hive\n\nBees live there.'];
  const bench = await openSkillBench(inOrder(answers));
  const { output, run } = await bench.invoke(
    'simple_writing',
    { ...request, length: 'short' },
    { files: { 'on-bees.docx': 'mine' } },
  );
  expect(output.path).toBe('on-bees-2.md');
  expect(await bench.file(run.threadId, 'on-bees.docx')).toBe('mine');
  expect(output.content).toBe('# On Bees\n\n## Hive\n\nBees live there.');
});

const long = { ...request, length: 'long' };
test.each([
  ['a refusal at the outline', [`I'm sorry, but I can't help with that.`], {}, 2],
  ['a refusal of the text', [outline(['Hive']), 'Sorry, I cannot write this.'], {}, 2],
  ['nothing', [outline(['Hive']), ' '], {}, 2],
  ['an outline without sections', [outline([])], {}, 2],
  ['the same paragraph endlessly', [outline(['Hive']), 'Bees are nice.\n\n'.repeat(50)], {}, 2],
  ['the same section again and again', [outline(['Hive', 'Honey']), 'Bees are nice.'], long, 4],
  ['an e-mail that is none', ['Dear all, hello'], { type: 'email' }, 2],
])('%s is a failure that says so, and leaves no file', async (_name, said, params, requests) => {
  const bench = await openSkillBench(inOrder(said));
  const played = await bench.invoke('simple_writing', { ...request, ...params });
  expect(played.toolAnswer).toMatchObject({ success: false, error_code: 'SKILL_MODEL_ANSWER' });
  expect(bench.requests).toHaveLength(requests);
  expect(played.of('workspace_update')).toEqual([]);
  expect(played.of('skill_output')).toEqual([]);
  expect(played.run.status).toBe('completed');
});

test('words are counted by code, in any script', () => {
  expect(countWords('# A **well-known** [link](https://a.b/c "d")')).toBe(3);
  expect(countWords('It isn’t 1,000.5 — or is it?')).toBe(6);
  expect(countWords('我们在星期五见面。 See you!')).toBe(10);
  expect(countWords('これは本です')).toBe(6);
  expect(countWords('')).toBe(0);
});

test('a text is taken out of its fence, and says nothing twice', () => {
  expect(tidyText('```md\nHello\n```')).toBe('Hello');
  const code = '```js\na\n\nb\n```\n\nand\n\n```js\nc\n```';
  expect(tidyText(code)).toBe(code);
  const long = 'This is said two times over.';
  expect(tidyText(`${long}\n\nOther.\n\n${long}`)).toBe(`${long}\n\nOther.`);
  expect(tidySection('**Hive**:\n\n# Size\n\n```sh\n# no heading\n```', ['Hive'])).toBe(
    '### Size\n\n```sh\n# no heading\n```',
  );
});

test('files are named after titles, safely', () => {
  expect(freeFileName('../../etc/passwd', [])).toBe('etc-passwd');
  expect(freeFileName('  ', [])).toBe('text');
  expect(freeFileName('Wie geht’s, Zürich?', [])).toBe('wie-geht-s-zürich');
  expect(freeFileName('会议 纪要', ['会议-纪要.MD', '会议-纪要-2.docx'])).toBe('会议-纪要-3');
  expect(freeFileName('x'.repeat(300), []).length).toBe(60);
});

test('a refusal is distinguished from a text that is sorry', () => {
  for (const no of [
    'I can’t help with that.',
    "I'm sorry, but I cannot assist.",
    'As an AI, I …',
    '抱歉，我无法协助。',
  ]) {
    expect(isRefusal(no)).toBe(true);
  }
  for (const yes of ['Sorry for the late reply.', 'I cannot stress enough'.padEnd(700, '.')]) {
    expect(isRefusal(yes)).toBe(false);
  }
});
