import { expect, onTestFinished, test } from 'vitest';
import { DocumentReader } from '#main/documents/document-reader.ts';
import { pptx, pptxShape } from '../../fakes/documents.ts';
import { zip } from '../../fakes/zip.ts';

async function textOf(bytes: Buffer, name = 'talk.pptx'): Promise<string> {
  const reader = new DocumentReader(process.cwd());
  onTestFinished(() => reader[Symbol.asyncDispose]());
  return (await reader.extractText(bytes, { name })).text;
}

const CHART = `<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>Tons</a:t></a:r></a:p></c:rich></c:tx></c:title><c:plotArea><c:barChart>${series('Wheat', ['7', '9'])}${series('Rye', ['4.4000000000000004', null])}</c:barChart></c:plotArea></c:chart></c:chartSpace>`;

function series(name: string, values: readonly (string | null)[]): string {
  const points = (list: readonly (string | null)[]): string =>
    list
      .map((value, at) => (value === null ? '' : `<c:pt idx="${at}"><c:v>${value}</c:v></c:pt>`))
      .join('');
  const text = (list: readonly (string | null)[]): string =>
    `<c:strRef><c:f>S!A1</c:f><c:strCache><c:ptCount val="${list.length}"/>${points(list)}</c:strCache></c:strRef>`;
  return `<c:ser><c:idx val="0"/><c:tx>${text([name])}</c:tx><c:cat>${text(['2023', '2024'])}</c:cat><c:val>${text(values)}</c:val></c:ser>`;
}

const FRAME =
  '<p:graphicFrame><a:graphic><a:graphicData uri="x"><c:chart r:id="rIdChart"/></a:graphicData></a:graphic></p:graphicFrame>';

test('charts give their numbers, groups their texts, and of several forms of a shape one is read', async () => {
  const group = `<p:grpSp><p:grpSpPr/>${pptxShape(['In a group'])}<p:grpSp>${pptxShape(['and deeper'])}</p:grpSp></p:grpSp>`;
  const forms = `<mc:AlternateContent><mc:Choice Requires="p">${pptxShape(['New form'])}</mc:Choice><mc:Fallback>${pptxShape(['Old form'])}</mc:Fallback></mc:AlternateContent>`;
  const bytes = pptx(
    [{ title: 'Harvest', shapes: FRAME + group + forms }],
    [{ name: 'ppt/charts/chart1.xml', data: CHART }],
  );
  expect((await textOf(bytes)).split('\n')).toEqual([
    ...['Slide 1', 'Harvest', 'Tons'],
    ...['\tWheat\tRye', '2023\t7\t4.4', '2024\t9\t', 'In a group', 'and deeper', 'New form'],
  ]);
});

test('points of a chart that lie far out are left out', async () => {
  const data = CHART.replaceAll('idx="1"', 'idx="4000000000"').replaceAll('idx="0"', 'idx="-1"');
  const bytes = pptx(
    [{ title: 'Harvest', shapes: FRAME }],
    [{ name: 'ppt/charts/chart1.xml', data }],
  );
  expect(await textOf(bytes)).toBe('Slide 1\nHarvest\nTons');
});

test.each([
  ['no text', pptx([{}, {}]), 'It contains no text.'],
  ['no slides', pptx([]), 'It contains no text.'],
  ['another archive', zip([{ name: 'a', data: 'b' }]), 'It is not a presentation.'],
  [
    'a document type',
    pptx(
      [{ title: 'x' }],
      [
        {
          name: 'ppt/charts/chart1.xml',
          data: '<!DOCTYPE c [<!ENTITY e "eee">]><c:chartSpace>&e;</c:chartSpace>',
        },
      ],
    ),
    null,
  ],
  [
    'an old or locked file',
    Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)]),
    'It is protected by a password, or of Office 97 to 2003. Save it as .docx, .xlsx or .pptx, without a password.',
  ],
])('a presentation with %s', async (_what, bytes, refusal) => {
  const read = textOf(bytes);
  if (refusal === null) expect(await read).toBe('Slide 1\nx');
  else await expect(read).rejects.toMatchObject({ code: 'LIBRARY_UNREADABLE', message: refusal });
});

test('a chart that is damaged says so, and the slide around it is read', async () => {
  const bytes = pptx(
    [{ title: 'x', lines: ['y'], shapes: FRAME }],
    [{ name: 'ppt/charts/chart1.xml', data: '<!DOCTYPE c [<!ENTITY e "eee">]><c:chartSpace/>' }],
  );
  expect(await textOf(bytes)).toBe('Slide 1\nx\ny\n[The chart or diagram cannot be read]');
});

test('notes that are damaged say so', async () => {
  const bytes = pptx([{ title: 'x' }], [{ name: 'ppt/notesSlides/notesSlide1.xml', data: '<p>' }]);
  expect(await textOf(bytes)).toBe('Slide 1\nx\nNotes: [The notes cannot be read]');
});

test('a slide that is damaged makes the file one that cannot be read, and it says where', async () => {
  const bytes = pptx([{ title: 'x', shapes: '<p:sp>' }]);
  await expect(textOf(bytes)).rejects.toMatchObject({
    ...{ code: 'LIBRARY_UNREADABLE', message: expect.stringMatching(/^It is damaged: .*line 1/) },
  });
});
