import { expect, test } from 'vitest';
import { openAppBench } from '../fakes/app-bench.ts';
import { docx, pptx, xlsx } from '../fakes/documents.ts';

test('a model learns that it can read attached Office files, and reads them', async () => {
  const files = {
    'letter.docx': docx(['The crane stands on the west quay.']),
    'talk.pptx': pptx([{ title: 'The crane', notes: 'Point at it.' }]),
    'costs.xlsx': xlsx({ Costs: [['crane', 40]] }),
    'notes.txt': Buffer.from('West quay'),
  };
  const names = Object.keys(files);
  const turns: string[] = [];
  const bench = await openAppBench(({ messages, results }) => {
    turns.push(messages.map(({ content }) => content).join('\n'));
    const name = names[results.length];
    if (name === undefined) return { content: 'Read.' };
    return { calls: [{ name: 'sandbox_file', arguments: { operation: 'read', path: name } }] };
  });
  const { id } = await bench.start('What do these say?', {}, files);
  const run = await bench.settled(id);
  const said = [...(turns[0] ?? '').matchAll(/^- \/workspace\/(\S+) \([\d,]+ bytes(.*)\)$/gm)];
  expect(Object.fromEntries(said.map(([, name, more]) => [name, more]))).toEqual({
    'letter.docx': ', sandbox_file reads its text',
    'talk.pptx': ', sandbox_file reads its text',
    'costs.xlsx': ', sandbox_file reads its text',
    'notes.txt': '',
  });
  expect(run.of('tool_result').map(({ content }) => content)).toEqual([
    'The crane stands on the west quay.',
    'Slide 1\nThe crane\nNotes: Point at it.',
    'Costs\ncrane\t40',
    'West quay',
  ]);
});
