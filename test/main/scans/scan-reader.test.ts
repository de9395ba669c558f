import { deflateSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { AppError } from '#contract/errors.ts';
import { DocumentReader } from '#main/documents/document-reader.ts';
import type { ScanProgress, ScanWish } from '#main/documents/types.ts';
import { ScanReader } from '#main/scans/scan-reader.ts';
import type { ScanLimits } from '#main/scans/types.ts';
import { pdf } from '../../fakes/documents.ts';
import { scannedPdf } from '../../fakes/scanned-pdf.ts';

const INVOICE = [
  'Invoice 2024-0731',
  'The delivery of 48 pallets was confirmed on 14 March.',
  'Payment of 12,450.75 euros is due within thirty days.',
];
const REPORT = ['第三季度销售报告', '本季度总收入为一千二百万元，同比增长百分之十五。'];

function readers(limits: Partial<ScanLimits> = {}): {
  scans: ScanReader;
  text: (bytes: Buffer, wish?: ScanWish, signal?: AbortSignal) => Promise<string>;
  documents: DocumentReader;
} {
  // A busy computer must not reach the limit by itself.
  const scans = new ScanReader(process.cwd(), { limits: { timeMs: 600_000, ...limits } });
  const documents = new DocumentReader(process.cwd(), {}, scans.read);
  onTestFinished(async () => {
    await documents[Symbol.asyncDispose]();
    await scans[Symbol.asyncDispose]();
  });
  return {
    ...{ scans, documents },
    text: async (bytes, wish = {}, signal) =>
      (await documents.extractText(bytes, { name: 'scan.pdf', scans: wish }, signal)).text,
  };
}

async function refusalOf(work: Promise<unknown>): Promise<readonly [string, string]> {
  const error = await work.then(
    () => null,
    (cause: unknown) => cause,
  );
  if (!(error instanceof AppError)) throw new Error(`expected a refusal, got ${String(error)}`);
  return [error.code, error.message];
}

/** A PDF with one page and these objects, written by hand. */
function pdfOf(objects: readonly (string | Buffer)[]): Buffer {
  const parts = [Buffer.from('%PDF-1.7\n')];
  for (const [index, object] of objects.entries()) {
    parts.push(Buffer.from(`${index + 1} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n'));
  }
  return Buffer.concat([...parts, Buffer.from('trailer\n<</Root 1 0 R>>\n%%EOF')]);
}

function stream(dictionary: string, data: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(`<<${dictionary} /Length ${data.length}>>\nstream\n`),
    data,
    Buffer.from('\nendstream'),
  ]);
}

/** A page of this size whose only content is a picture of this size, all zeros. */
function pictureBomb(side: number, points = 600): Buffer {
  const rows = Math.min(side, 4_096);
  return pdfOf([
    '<</Type /Catalog /Pages 2 0 R>>',
    '<</Type /Pages /Kids [3 0 R] /Count 1>>',
    `<</Type /Page /Parent 2 0 R /MediaBox [0 0 ${points} ${points}] /Contents 4 0 R /Resources <</XObject <</I 5 0 R>>>>>>`,
    stream('', Buffer.from(`q ${points} 0 0 ${points} 0 0 cm /I Do Q`)),
    stream(
      `/Type /XObject /Subtype /Image /Width ${side} /Height ${side} /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /FlateDecode`,
      deflateSync(Buffer.alloc(rows * 4_096 * 3)),
    ),
  ]);
}

describe('scans', () => {
  test('an English page says how it was read, and its words stand after that', async () => {
    const { text } = readers();
    const read = await text(await scannedPdf([{ printed: INVOICE }]));
    expect(read).toMatch(
      /^\[Page 1: a scan, read by OCR with (?:8\d|9\d|100) % confidence\. It may contain errors\.\]/,
    );
    for (const line of INVOICE) expect(read).toContain(line);
    for (const block of read.split('\n\n').slice(1)) expect(block).toMatch(/^\[OCR \d+ %\] /);
  });

  test('a Chinese page has no spaces between its characters', async () => {
    const { text } = readers();
    expect(await text(await scannedPdf([{ printed: REPORT }]))).toContain('第三季度销售报告');
  });

  test.each([
    ['by what the PDF says', { turned: 270, rotate: 90 }],
    ['upside down', { turned: 180 }],
    ['on its left side', { turned: 90 }],
    ['on its right side', { turned: 270 }],
  ] as const)('a page that is turned: %s', async (_name, how) => {
    const { text } = readers();
    const read = await text(await scannedPdf([{ printed: INVOICE, ...how }]));
    expect(read).toContain('48 pallets');
    expect(read).toContain('12,450.75 euros');
  });

  test('pages with text stay as they are, and what is scanned on a page follows its text', async () => {
    const { text } = readers();
    const typed =
      'This paragraph was typed: it is in the text of the document itself, word by word.';
    const bytes = await scannedPdf([
      { printed: INVOICE, typed, share: 0.6, fontSize: 40 },
      { printed: [], typed, share: 0.1 },
    ]);
    const [first = '', second = ''] = (await text(bytes)).split(/(?=This paragraph)/);
    expect(first).toMatch(/word by word\.\s+\[Page 1: a scan/);
    expect(first.match(/48 pallets/g)).toHaveLength(1);
    expect(first.match(/typed/g)).toHaveLength(1);
    expect(second).not.toContain('Page 2');
  });

  test('a bad copy says that it is one', async () => {
    const { documents } = readers();
    const bytes = await scannedPdf([{ printed: INVOICE, noise: 1, fontSize: 18 }]);
    const { text, leftOut } = await documents.extractText(bytes, { name: 'a.pdf', scans: {} });
    if (leftOut === null) expect(text).toMatch(/% confidence\. Low: .*\n\n\[OCR \d+ %, low\]/);
    else expect(leftOut).toContain('no text was made out (page 1)');
  });

  test('encrypted without a password for reading; and with one, which is refused', async () => {
    const { text } = readers();
    const open = await scannedPdf([{ printed: INVOICE }], { ownerPassword: 'secret' });
    const locked = await scannedPdf([{ printed: INVOICE }], { userPassword: 'secret' });
    expect(await text(open)).toContain('48 pallets');
    expect(await refusalOf(text(locked))).toEqual([
      'LIBRARY_UNREADABLE',
      'It is protected by a password. Save a copy without the password.',
    ]);
  });

  test('a text without pictures starts no process', async () => {
    const { documents } = readers();
    const never = new DocumentReader(process.cwd(), {}, async () => {
      throw new Error('asked about scans');
    });
    onTestFinished(() => never[Symbol.asyncDispose]());
    const bytes = pdf(['One page with a line of text that is long enough.']);
    const source = { name: 'a.pdf', scans: {} };
    expect(await never.extractText(bytes, source)).toEqual(
      await documents.extractText(bytes, source),
    );
  });

  test('without a wish for scans, the error says what to do', async () => {
    const { documents } = readers();
    const bytes = await scannedPdf([{ printed: INVOICE }]);
    expect(await refusalOf(documents.extractText(bytes, { name: 'a.pdf' }))).toEqual([
      'LIBRARY_UNREADABLE',
      expect.stringContaining('probably a scan'),
    ]);
  });
});

describe('limits', () => {
  test('pages over the limit are named, and progress names the page', async () => {
    const { documents } = readers({ pages: 2 });
    const bytes = await scannedPdf(INVOICE.map((line) => ({ printed: [line, line] })));
    const seen: ScanProgress[] = [];
    const wish = { onPage: (progress: ScanProgress) => seen.push(progress) };
    const read = await documents.extractText(bytes, { name: 'a.pdf', scans: wish });
    expect(read.leftOut).toBe('pages 3 to 3, not read because only 2 scanned pages are read');
    expect(read.text).not.toContain('12,450.75');
    expect(seen).toEqual([
      { page: 1, pages: 3 },
      { page: 2, pages: 3 },
    ]);
  });

  test('pages after the time of a document are named, and reading on begins with them', async () => {
    let now = 0;
    const scans = new ScanReader(process.cwd(), {
      limits: { timeMs: 600_000, documentMs: 120_000 },
      startTime: () => {
        const begun = now;
        return {
          get passedMs() {
            return now - begun;
          },
          [Symbol.dispose]: () => undefined,
        };
      },
    });
    onTestFinished(() => scans[Symbol.asyncDispose]());
    const bytes = await scannedPdf(INVOICE.map((line) => ({ printed: [line, line] })));
    const seen: number[] = [];
    const read = () =>
      scans.read(bytes, {
        pages: ['', '', ''],
        onPage: ({ page }) => {
          seen.push(page);
          now += 60_000;
        },
      });
    const first = await read();
    expect([first.pages.length, first.next, first.leftOut]).toEqual([
      2,
      3,
      'pages 3 to 3, not read because those before took 2 minutes',
    ]);
    expect(first.pages[1]).toContain('48 pallets');
    const { pages, next, leftOut } = await read();
    expect([pages.length, next, leftOut, seen]).toEqual([3, null, null, [1, 2, 3]]);
  });

  test('reading on reads no page again', async () => {
    const { documents } = readers();
    const bytes = await scannedPdf(INVOICE.map((line) => ({ printed: [line] })));
    const seen: number[] = [];
    const read = (chars: number): Promise<{ text: string; nextPage?: number }> =>
      documents.extractText(bytes, {
        name: 'a.pdf',
        scans: { chars, onPage: ({ page }) => void seen.push(page) },
      });
    expect((await read(10)).nextPage).toBe(2);
    expect((await read(100_000)).nextPage).toBeUndefined();
    expect(seen).toEqual([1, 2, 3]);
  });

  test('500 pages: aborted within a second, and the next document is read', async () => {
    const { text } = readers();
    const many = await scannedPdf(Array.from({ length: 500 }, () => ({ printed: ['Page'] })));
    const stop = new AbortController();
    let abortedAt = 0;
    const wish = {
      onPage: ({ page }: ScanProgress) => {
        if (page !== 4) return;
        abortedAt = performance.now();
        stop.abort(new Error('enough'));
      },
    };
    await expect(text(many, wish, stop.signal)).rejects.toThrow('enough');
    expect(performance.now() - abortedAt).toBeLessThan(1_000);
    expect(await text(await scannedPdf([{ printed: INVOICE }]))).toContain('48 pallets');
  });

  test('one that waits for another document ends at once when it is aborted', async () => {
    const { scans } = readers();
    const bytes = await scannedPdf([{ printed: INVOICE }, { printed: INVOICE }]);
    const begun = Promise.withResolvers<void>();
    const ended: string[] = [];
    const first = scans
      .read(bytes, { pages: ['', ''], onPage: () => begun.resolve() })
      .then(() => ended.push('first'));
    await begun.promise;
    const stop = new AbortController();
    const second = scans
      .read(bytes, { pages: ['', ''] }, stop.signal)
      .catch((error: Error) => ended.push(error.message));
    stop.abort(new Error('no longer'));
    await Promise.all([first, second]);
    expect(ended).toEqual(['no longer', 'first']);
  });

  test.each([
    ['a picture of 400 megapixels', pictureBomb(20_000)],
    ['a picture of 3,600 megapixels', pictureBomb(60_000)],
    ['a page as large as a field', pictureBomb(100, 10_000_000)],
  ])('a bomb: %s ends nothing but itself', async (_name, bytes) => {
    const { text } = readers({ timeMs: 60_000 });
    const end = await text(bytes).catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error;
      return error.message;
    });
    expect(end).toMatch(/no text|could not be read|longer than|memory|damaged/);
    expect(await text(await scannedPdf([{ printed: INVOICE }]))).toContain('48 pallets');
  });

  test('too much time for a page: it says so, and the others are read', async () => {
    const { text } = readers({ timeMs: 1 });
    const bytes = await scannedPdf([{ printed: INVOICE }]);
    expect(await refusalOf(text(bytes))).toEqual([
      'FILE_TOO_LARGE',
      expect.stringContaining('longer than'),
    ]);
  });

  test('too little memory is an error with a code', async () => {
    const { text } = readers({ memoryBytes: 28 * 1024 * 1024 });
    const read = await text(await scannedPdf([{ printed: INVOICE }]));
    expect(read).toContain('it could not be read');
  });
});

describe('a page as a picture', () => {
  test('is as large as asked for, and upright', async () => {
    const { scans } = readers();
    const bytes = await scannedPdf([{ printed: INVOICE }, { printed: INVOICE, rotate: 90 }]);
    const within = { width: 400, height: 400 };
    const { png, ...size } = await scans.draw(bytes, { page: 2, within });
    expect(size).toEqual({ width: 400, height: 282 });
    expect(Buffer.from(png).subarray(1, 4).toString()).toBe('PNG');
    expect(await refusalOf(scans.draw(bytes, { page: 3, within }))).toEqual([
      'BAD_REQUEST',
      'The PDF has 2 pages; there is no page 3.',
    ]);
  });
});

test('documents that cannot be opened, and many large ones, leave the process as it was', async () => {
  const { scans } = readers();
  const good = await scannedPdf([{ printed: INVOICE }]);
  // More of it than fits into the memory of the process, one after another.
  const padding = Buffer.from(`\n%${'x'.repeat(60_000_000)}\n`);
  const large = Buffer.concat([good.subarray(0, 15), padding, good.subarray(15)]);
  const damaged = Buffer.from('no pdf');
  const outcomes: string[] = [];
  for (const bytes of [good, damaged, damaged, good, ...Array.from({ length: 14 }, () => large)]) {
    const drawn = scans.draw(bytes, { page: 1, within: { width: 40, height: 40 } });
    outcomes.push(await drawn.then(() => 'drawn', String));
  }
  expect([...new Set(outcomes.toSpliced(1, 2))]).toEqual(['drawn']);
  expect(outcomes.slice(1, 3).every((outcome) => outcome.includes('not a PDF'))).toBe(true);
});
