import { afterAll, beforeAll, expect, test } from 'vitest';
import { DocumentReader } from '#main/documents/document-reader.ts';
import { BubblewrapProvider } from '#main/sandbox/os-provider/bubblewrap-provider.ts';
import { ScanReader } from '#main/scans/scan-reader.ts';
import { docx, pdf, pptx, xlsx } from '../../fakes/documents.ts';
import { sandboxBench } from '../../fakes/sandbox-bench.ts';
import { scannedPdf } from '../../fakes/scanned-pdf.ts';
import { providerParts } from '../sandbox/provider-parts.ts';

// Without a limit that a busy computer reaches.
const scans = new ScanReader(process.cwd(), { limits: { timeMs: 600_000 } });
const documents = new DocumentReader(process.cwd(), {}, scans.read);
let bench: Awaited<ReturnType<typeof sandboxBench>>;
// Files are read from outside: no sandbox is started.
beforeAll(async () => {
  const provider = (dir: string): BubblewrapProvider => new BubblewrapProvider(providerParts(dir));
  bench = await sandboxBench({ provider, documents });
});
afterAll(async () => {
  await bench[Symbol.asyncDispose]();
  await documents[Symbol.asyncDispose]();
  await scans[Symbol.asyncDispose]();
});

const read = (path: string, offset = 0) =>
  bench.call('sandbox_file', { operation: 'read', path, offset });

/** The lines that the run shows of reading scans. */
const stages = () =>
  bench.events.flatMap((event) => (event.type === 'stage' ? [event.description] : []));

test('a scan is read page by page as far as a result goes, and on from there', async () => {
  const page = (number: number): string[] =>
    Array.from(
      { length: 46 },
      (_, line) =>
        `Page ${number} line ${line} of the report about the harvest of wheat and of barley in that year`,
    );
  const bytes = await scannedPdf(
    Array.from({ length: 5 }, (_, index) => ({ printed: page(index + 1), fontSize: 20 })),
  );
  await bench.sandbox.workspace.write('harvest.bin', bytes);
  const first = await read('harvest.bin');
  expect(first.status).toBe('ok');
  expect(first.content).toMatch(/^\[Page 1: a scan, read by OCR with \d+ % confidence\./);
  const [, next, onward] = /of the text before page (\d+)\. Read on with offset (\d+)\. …\]$/.exec(
    first.content,
  ) ?? ['', '', ''];
  expect(Number(next)).toBe(5);
  expect(stages()).toContain('Reading page 2 of 5 of harvest.bin');
  expect(stages()).not.toContain('Reading page 5 of 5 of harvest.bin');
  const second = await read('harvest.bin', Number(onward));
  expect(second.content).toContain('Page 5 line 45 of the report');
  expect(second.content).toContain('This is its end.');
  // Each page once.
  const pages = stages().filter((line) => line.startsWith('Reading page'));
  expect(pages).toHaveLength(5);
});

test('a PDF with text gives its text, and one that cannot be read says why', async () => {
  await bench.sandbox.workspace.write('a.pdf', pdf(['The crane stands on the west quay.']));
  expect((await read('a.pdf')).content).toBe('The crane stands on the west quay.');
  await bench.sandbox.workspace.write('b.pdf', '%PDF-1.7 and nothing else');
  expect(await read('b.pdf')).toMatchObject({
    status: 'error',
    content: expect.stringContaining('It is damaged, or not a PDF.'),
  });
});

test('Word documents, presentations and workbooks give their text, and damaged ones say why', async () => {
  const { workspace } = bench.sandbox;
  await workspace.write('a.docx', docx(['The crane stands on the west quay.']));
  expect((await read('a.docx')).content).toBe('The crane stands on the west quay.');
  await workspace.write(
    'harvest.xlsx',
    xlsx({
      Wheat: [
        ['Year', 'Tons'],
        [2024, 7],
      ],
    }),
  );
  expect((await read('harvest.xlsx')).content).toBe('Wheat\nYear\tTons\n2024\t7');
  await workspace.write('talk.pptx', pptx([{ title: 'The crane', lines: ['West quay'] }]));
  expect((await read('talk.pptx')).content).toBe('Slide 1\nThe crane\nWest quay');
  expect((await read('talk.pptx', 8)).content).toMatch(/^The crane\nWest quay/);
  const cut = docx(['Gone']).subarray(0, 90);
  for (const name of ['b.docx', 'b.pptx', 'b.xlsx']) {
    await workspace.write(name, cut);
    expect(await read(name)).toMatchObject({
      status: 'error',
      content: expect.stringMatching(
        /^b\.\w+ \(\w+, 90 bytes\) cannot be read as text\. It is damaged/,
      ),
    });
  }
  // What only its name makes a document is what it is.
  await workspace.write('c.docx', 'plain words');
  expect((await read('c.docx')).content).toBe('plain words');
});
