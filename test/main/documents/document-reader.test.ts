import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { deflateSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { AppError } from '#contract/errors.ts';
import { DocumentReader } from '#main/documents/document-reader.ts';
import type { DocumentLimits } from '#main/documents/types.ts';
import { docx, pdf, pptx, xlsx } from '../../fakes/documents.ts';
import { gb18030 } from '../../fakes/library-folder.ts';
import { zip } from '../../fakes/zip.ts';

function reader(limits: Partial<DocumentLimits> = {}): DocumentReader {
  const made = new DocumentReader(process.cwd(), limits);
  onTestFinished(() => made[Symbol.asyncDispose]());
  return made;
}

async function refusalOf(work: Promise<unknown>): Promise<readonly [string, string]> {
  const error = await work.then(
    () => null,
    (cause: unknown) => cause,
  );
  if (!(error instanceof AppError)) throw new Error(`expected a refusal, got ${String(error)}`);
  return [error.code, error.message];
}

const utf16 = (text: string): Buffer =>
  Buffer.concat([Buffer.of(0xff, 0xfe), Buffer.from(text, 'utf16le')]);

describe('text of', () => {
  test.each([
    ['plain text', 'notes.txt', Buffer.from('One\r\n\r\nTwo'), 'text', 'notes.txt', 'One\n\nTwo'],
    ['UTF-8 with a mark', 'a.txt', Buffer.from('\ufeffgrün'), 'text', 'a.txt', 'grün'],
    ['UTF-16', 'a.txt', utf16('茶 tea'), 'text', 'a.txt', '茶 tea'],
    ['UTF-16, big end first', 'a.txt', utf16('茶 tea').swap16(), 'text', 'a.txt', '茶 tea'],
    ['GB18030', 'a.txt', gb18030('龙潭的水车，编号 7。'), 'text', 'a.txt', '龙潭的水车，编号 7。'],
    [
      'Latin-1',
      'a.txt',
      Buffer.from('Café über alles', 'latin1'),
      'text',
      'a.txt',
      'Café über alles',
    ],
    [
      'Markdown',
      'a.md',
      Buffer.from('intro\n# The *crane*\ntext'),
      'markdown',
      'The *crane*',
      'intro\n# The *crane*\ntext',
    ],
    ['code', 'a.py', Buffer.from('x = 1  # ok'), 'code', 'a.py', 'x = 1  # ok'],
    ['CSV', 'a.csv', Buffer.from('a,b\n1,2\n'), 'csv', 'a.csv', 'a,b\n1,2'],
    [
      'HTML',
      'a.html',
      Buffer.from(
        '<html><head><title>A &amp; B</title><script>no()</script></head><body><h1>Hi</h1><p>There</p></body></html>',
      ),
      'html',
      'A & B',
      'Hi\n\nThere',
    ],
    [
      'HTML that names its encoding',
      'a.html',
      Buffer.concat([Buffer.from('<meta charset="gbk"><p>'), gb18030('茶'), Buffer.from('</p>')]),
      'html',
      'a.html',
      '茶',
    ],
    [
      'a presentation',
      'a.pptx',
      pptx([
        {
          title: 'Harvest',
          lines: ['Wheat', 'and barley'],
          table: [
            ['Year', 'Tons'],
            ['2024', '7'],
          ],
          notes: 'Say it slowly.',
        },
        { lines: ['Only this'], isHidden: true },
      ]),
      'pptx',
      'Harvest',
      'Slide 1\nHarvest\nWheat\nand barley\nYear\tTons\n2024\t7\nNotes: Say it slowly.\n\nSlide 2 (hidden)\nOnly this',
    ],
    [
      'PDF',
      'a.pdf',
      pdf(['First\npage', 'Second (2)'], 'A report'),
      'pdf',
      'A report',
      'First\npage\n\nSecond (2)',
    ],
    ['Word', 'a.docx', docx(['One & two', '三']), 'docx', 'a.docx', 'One & two\n\n三'],
    [
      'Excel',
      'a.xlsx',
      xlsx({
        Costs: [
          ['item', 'price'],
          ['crane', 40.5],
        ],
        茶: [['绿']],
      }),
      'xlsx',
      'a.xlsx',
      'Costs\nitem\tprice\ncrane\t40.5\n\n茶\n绿',
    ],
  ] as const)('%s', async (_what, name, bytes, kind, title, text) => {
    const document = await reader().extractText(bytes, { name });
    expect(document).toEqual({ kind, title, text, leftOut: null });
  });

  test('a workbook of many rows', async () => {
    const rows = Array.from({ length: 20_000 }, (_, index) => [`row ${index}`, index]);
    const { text } = await reader().extractText(xlsx({ Many: rows }), { name: 'a.xlsx' });
    expect([text.split('\n').length, text.endsWith('row 19999\t19999')]).toEqual([20_001, true]);
  });

  test('by its media type, if its name has no extension', async () => {
    const { kind, text } = await reader().extractText(pdf(['Hello']), {
      name: 'download',
      contentType: 'application/pdf; q=1',
    });
    expect([kind, text]).toEqual(['pdf', 'Hello']);
  });

  test('a title is reduced to one plain line', async () => {
    const hostile = Buffer.from('<title>a\n\u202egnp.exe\u0007</title><p>x</p>');
    const { title } = await reader().extractText(hostile, { name: 'a.html' });
    expect(title).toBe('a gnp.exe');
  });
});

describe('refused:', () => {
  const broken = 'It is damaged, or its format does not match its name.';
  test.each([
    [
      'an unsupported type',
      'a.exe',
      Buffer.from('MZ'),
      'Files of this type cannot be read as text.',
    ],
    [
      'a program called text',
      'a.txt',
      Buffer.of(1, 0, 2, 0),
      'It is not text, although its name says so.',
    ],
    ['nothing', 'a.txt', Buffer.from(' \n'), 'It contains no text.'],
    ['not a PDF', 'a.pdf', Buffer.from('hello'), 'It is damaged, or not a PDF.'],
    ['half a PDF', 'a.pdf', pdf(['x']).subarray(0, 60), 'It is damaged, or not a PDF.'],
    ['not an archive', 'a.docx', Buffer.from('hello'), broken],
    ['half an archive', 'a.docx', docx(['x']).subarray(0, 200), broken],
    [
      'an archive that is not a document',
      'a.docx',
      zip([{ name: 'a', data: 'b' }]),
      'It is damaged, or not a Word document in the docx format.',
    ],
    [
      'an archive that is not a workbook',
      'a.xlsx',
      zip([{ name: 'a', data: 'b' }]),
      'It is damaged, or not a workbook in the xlsx format.',
    ],
  ] as const)('%s', async (_what, name, bytes, message) => {
    expect(await refusalOf(reader().extractText(bytes, { name }))).toEqual([
      'LIBRARY_UNREADABLE',
      message,
    ]);
  });

  test('a PDF of pictures says that it was scanned', async () => {
    const [code, message] = await refusalOf(reader().extractText(pdf(['', '']), { name: 'a.pdf' }));
    expect([code, message.includes('probably a scan')]).toEqual(['LIBRARY_UNREADABLE', true]);
  });

  test('a file over the limit', async () => {
    const work = reader({ bytes: 1024 * 1024 }).extractText(Buffer.alloc(1024 * 1024 + 1, 'a'), {
      name: 'a.txt',
    });
    expect(await refusalOf(work)).toEqual(['FILE_TOO_LARGE', 'It is larger than 1 MB.']);
  });

  test('an archive that unpacks to more than the limit, whatever size it declares', async () => {
    const data = Buffer.alloc(40 * 1024 * 1024);
    const bomb = docx(['x'], [{ name: 'word/document.xml', data, claimedSize: 10 }]);
    expect(bomb.length).toBeLessThan(100_000);
    const work = reader({ unpackedBytes: 8 * 1024 * 1024 }).extractText(bomb, { name: 'a.docx' });
    expect(await refusalOf(work)).toEqual(['FILE_TOO_LARGE', 'Unpacked, it is larger than 8 MB.']);
  });

  test.each<[string, (archive: Buffer) => Buffer]>([
    ['counts fewer entries than it has', (archive) => withCount(archive, 1)],
    ['counts more', (archive) => withCount(archive, 999)],
    ['has a second end in its comment', (archive) => withComment(archive, archive.subarray(-22))],
    [
      'says another length in an entry than in the directory',
      (archive) => patched(archive, archive.indexOf('PK\x03\x04', 4, 'latin1') + 18, 1),
    ],
    [
      'says another name in an entry than in the directory',
      (archive) => patched(archive, archive.indexOf('PK\x03\x04', 4, 'latin1') + 30, 0x41414141),
    ],
  ])('an archive that can be read in two ways: one that %s', async (_what, lie) => {
    const archive = lie(docx(['x']));
    expect(await refusalOf(reader().extractText(archive, { name: 'a.docx' }))).toEqual([
      ...['LIBRARY_UNREADABLE', 'It is damaged, or its format does not match its name.'],
    ]);
  });

  test('a PDF that exceeds the memory limit; the next one is read', async () => {
    const one = reader({ memoryBytes: 150 * 1024 * 1024, timeMs: 20_000 });
    const bomb = pdfBomb();
    const [code, message] = await refusalOf(one.extractText(bomb, { name: 'a.pdf' }));
    const next = await one.extractText(pdf(['Still here']), { name: 'b.pdf' });
    expect([bomb.length < 10_000, code, message, next.text]).toEqual([
      true,
      'FILE_TOO_LARGE',
      'Reading it takes more memory than allowed.',
      'Still here',
    ]);
  });

  test('a document that takes too long; the next one is read', async () => {
    const slow = reader({ timeMs: 1 });
    const [code, message] = await refusalOf(slow.extractText(pdf(['x']), { name: 'a.pdf' }));
    expect([code, message.includes('took longer')]).toEqual(['FILE_TOO_LARGE', true]);
  });
});

test('a text that is too long is cut, and the result says so', async () => {
  const limits = { chars: 10, pages: 1 };
  const text = await reader(limits).extractText(Buffer.from('0123456789abc'), { name: 'a.txt' });
  const pages = await reader({ pages: 1 }).extractText(pdf(['one', 'two']), { name: 'a.pdf' });
  expect([text.text, text.leftOut, pages.text, pages.leftOut]).toEqual([
    '0123456789',
    'everything after the first 10 characters',
    'one',
    'everything after page 1',
  ]);
});

test('a hostile document opens no connection', async () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/x`;
  const html = `<!doctype html><link rel=stylesheet href="${url}"><img src="${url}"><iframe src="${url}"></iframe><script src="${url}"></script><p>text</p>`;
  const relations = `<?xml version="1.0"?><!DOCTYPE r [<!ENTITY e SYSTEM "${url}">]><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId9" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/image" Target="${url}" TargetMode="External"/></Relationships>`;
  const word = docx(['text'], [{ name: 'word/_rels/document.xml.rels', data: relations }]);
  const action = pdf(['text'])
    .toString('latin1')
    .replace(
      '<</Type/Catalog',
      `<</Type/Catalog/OpenAction<</S/JavaScript/JS(app.launchURL\\("${url}"\\))>>`,
    );
  const all = reader();
  const texts = await Promise.all([
    all.extractText(Buffer.from(html), { name: 'a.html' }),
    all.extractText(word, { name: 'a.docx' }),
    all.extractText(Buffer.from(action, 'latin1'), { name: 'a.pdf' }),
  ]);
  expect([texts.map(({ text }) => text), asked]).toEqual([['text', 'text', 'text'], []]);
});

test('aborting stops the extraction', async () => {
  const stop = new AbortController();
  const work = reader().extractText(pdf(['x']), { name: 'a.pdf' }, stop.signal);
  stop.abort(new AppError('CANCELLED', 'Enough.'));
  expect(await refusalOf(work)).toEqual(['CANCELLED', 'Enough.']);
});

/** A page whose text unpacks to 400 MB: packed twice, it is a few kilobytes. */
function pdfBomb(): Buffer {
  const content = deflateSync(deflateSync(Buffer.alloc(400 * 1024 * 1024, ' ')));
  const parts = [
    '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n',
    '2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n',
    '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R/Resources<<>>>>endobj\n',
    `4 0 obj<</Length ${content.length}/Filter[/FlateDecode/FlateDecode]>>stream\n`,
  ].map((text) => Buffer.from(text, 'latin1'));
  const end = Buffer.from('\nendstream endobj\ntrailer<</Root 1 0 R>>', 'latin1');
  return Buffer.concat([...parts, content, end]);
}

function patched(archive: Buffer, at: number, value: number): Buffer {
  const copy = Buffer.from(archive);
  copy.writeUInt32LE(value, at);
  return copy;
}

/** The count of entries, which the end record holds twice. */
function withCount(archive: Buffer, count: number): Buffer {
  const end = archive.length - 22;
  return patched(archive, end + 8, (count << 16) | count);
}

function withComment(archive: Buffer, comment: Buffer): Buffer {
  const copy = Buffer.concat([archive, comment]);
  copy.writeUInt16LE(comment.length, archive.length - 2);
  return copy;
}
