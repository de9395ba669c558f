import { readFileSync } from 'node:fs';
import { DocumentReader } from '../../src-main/documents/document-reader.ts';
import { ScanReader } from '../../src-main/scans/scan-reader.ts';
import { scannedPdf } from '../fakes/scanned-pdf.ts';

/**
 * How well and how fast scanned pages are read:
 *
 *   node test/bench/scans.ts
 *
 * The texts are paragraphs of the held-out set of citations, whose author knew nothing of OCR. The pages are drawn, not
 * scanned: A4 at 150 dots an inch, clean, turned by a degree with specks, and small print with more of both.
 */
const CASES = 'test/fixtures/citations/held-out.jsonl';
const PAGES = 6;
const QUALITIES = [
  { name: 'clean', fontSize: 26, noise: 0 },
  { name: 'turned by a degree, specks', fontSize: 26, noise: 0.5 },
  { name: 'small print, more specks', fontSize: 18, noise: 0.9 },
];

const isHan = (text: string): boolean => /\p{Script=Han}/u.test(text);
const sources = [
  ...new Set(
    readFileSync(CASES, 'utf8')
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { source: string }).source.normalize('NFKC')),
  ),
];
const languages = [
  { name: 'English', texts: sources.filter((text) => !isHan(text)), width: 80 },
  { name: 'Chinese', texts: sources.filter(isHan), width: 36 },
];

await using scans = new ScanReader(process.cwd(), { limits: { timeMs: 600_000 } });
await using documents = new DocumentReader(process.cwd(), {}, scans.read);
process.stdout.write(
  `${'pages'.padEnd(44)}${['wrong', 'figures', 'confidence', 'a page'].map((one) => one.padStart(12)).join('')}\n`,
);
for (const { name, texts, width } of languages) {
  for (const { name: quality, ...how } of QUALITIES) {
    const columns = Math.floor((width * 26) / Math.max(26, how.fontSize));
    const pages = texts.slice(0, PAGES).map((text) => linesOf(text, columns));
    const bytes = await scannedPdf(pages.map((printed) => ({ printed, ...how })));
    const start = performance.now();
    const { text } = await documents.extractText(bytes, { name: 'scan.pdf', scans: {} });
    const ms = (performance.now() - start) / pages.length;
    const read = text.split(/\[Page \d+: /).slice(1);
    let [wrong, all, figures, rightFigures, confidence] = [0, 0, 0, 0, 0];
    for (const [at, printed] of pages.entries()) {
      const page = read[at] ?? '';
      const there = plain(page.replace(/^.*\n/, '').replaceAll(/\[OCR [^\]]*\]/g, ''));
      const wanted = plain(printed.join(' '));
      wrong += distance(wanted, there);
      all += wanted.length;
      const numbers = printed.join(' ').match(/\d[\d.,]*\d|\d/g) ?? [];
      figures += numbers.length;
      rightFigures += numbers.filter((one) => there.includes(one)).length;
      confidence += Number(/(\d+) %/.exec(page)?.[1] ?? 0);
    }
    const cells = [
      `${((100 * wrong) / all).toFixed(1)} %`,
      `${rightFigures} of ${figures}`,
      `${Math.round(confidence / pages.length)} %`,
      `${Math.round(ms)} ms`,
    ];
    const title = `${pages.length} ${name}, ${quality}`;
    process.stdout.write(`${title.padEnd(44)}${cells.map((one) => one.padStart(12)).join('')}\n`);
  }
}

function linesOf(text: string, columns: number): string[] {
  const pieces = isHan(text) ? [...text] : text.split(/(?<= )/);
  const lines = [''];
  for (const piece of pieces) {
    const last = lines.length - 1;
    if ((lines[last] ?? '').length + piece.length > columns) lines.push(piece);
    else lines[last] += piece;
  }
  return lines;
}

/** Without white space, which OCR sets as it likes. */
function plain(text: string): string {
  return text.normalize('NFKC').replaceAll(/\s+/g, '');
}

/** How many characters have to be changed, added or removed. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [at, character] of [...one].entries()) {
    const next = [at + 1];
    for (const [column, there] of [...other].entries()) {
      next.push(
        Math.min(
          (row[column] ?? 0) + (character === there ? 0 : 1),
          (row[column + 1] ?? 0) + 1,
          (next[column] ?? 0) + 1,
        ),
      );
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
