import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { AppError } from '#contract/errors.ts';
import type { ReadScans } from '#main/documents/types.ts';
import { ScanReader } from '#main/scans/scan-reader.ts';
import { scannedPdf } from '../../fakes/scanned-pdf.ts';
import { never, openTestLibrary, temporaryFolder } from './support.ts';

test('a scanned document is found by what OCR read, and everything of it says so', async () => {
  const scans = new ScanReader(process.cwd(), { limits: { timeMs: 600_000 } });
  onTestFinished(() => scans[Symbol.asyncDispose]());
  const folder = temporaryFolder();
  const bytes = await scannedPdf([
    { printed: ['Minutes of the harbour council'] },
    { printed: ['The western breakwater is to be raised by two metres.'] },
  ]);
  writeFileSync(path.join(folder, 'minutes.pdf'), bytes);
  const { library, states } = openTestLibrary({ parts: { readScans: scans.read } });
  await library.add(folder);
  await library.settled();
  expect(library.list().folders[0]).toMatchObject({ indexed: 1, problems: 0, reading: null });
  const [best] = await library.search('breakwater', { limit: 5, signal: never });
  expect(best?.snippet).toMatch(/OCR/);
  const { text } = await library.read(best?.url ?? '', never);
  expect(text).toMatch(/\[Page 2: a scan, read by OCR with \d+ % confidence\./);
  expect(text).toContain('raised by two metres');
  const seen = states.flatMap(({ folders }) => folders[0]?.reading ?? []);
  expect(seen[0]).toEqual({ file: 'minutes.pdf', page: 1, pages: 2 });
});

test('a detached folder stops the reading of its scans', async () => {
  const folder = temporaryFolder();
  writeFileSync(path.join(folder, 'a.pdf'), await scannedPdf([{ printed: ['Anything'] }]));
  const begun = Promise.withResolvers<void>();
  const aborted = Promise.withResolvers<void>();
  const readScans: ReadScans = (_bytes, _request, signal) => {
    begun.resolve();
    return new Promise((_resolve, reject) => {
      signal?.addEventListener('abort', () => {
        aborted.resolve();
        reject(signal.reason);
      });
    });
  };
  const { library } = openTestLibrary({ parts: { readScans } });
  await library.add(folder);
  await begun.promise;
  library.remove(folder);
  await aborted.promise;
  await library.settled();
  expect(library.list().folders).toEqual([]);
});

test('what an earlier version could not read is read again', async () => {
  const folder = temporaryFolder();
  writeFileSync(path.join(folder, 'a.pdf'), await scannedPdf([{ printed: ['Anything'] }]));
  const earlier =
    'It has pages but no text, so it is probably a scan. Add the text with an OCR program.';
  let isNew = false;
  const readScans: ReadScans = async () => {
    if (!isNew) throw new AppError('LIBRARY_UNREADABLE', earlier);
    return { pages: ['[OCR 90 %] Anything'], leftOut: null, next: null };
  };
  const { library, counts } = openTestLibrary({ parts: { readScans } });
  await library.add(folder);
  await library.settled();
  expect(counts.issuesOf(folder, 9)).toEqual([{ file: 'a.pdf', problem: earlier }]);
  isNew = true;
  library.refresh();
  await library.settled();
  expect(counts.issuesOf(folder, 9)).toEqual([]);
});
