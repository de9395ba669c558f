import { once } from '../base/once.ts';
import { serveJobs } from '../pictures/serve-jobs.ts';
import { type Bitmap, PdfPages } from './pdf-pages.ts';
import { loadPdfium } from './pdfium.ts';
import { toPng } from './png.ts';
import { loadRecogniser, type Recognise } from './recogniser.ts';
import type { RecognisedText, ScanJob, ScanLimits, ScanResult } from './types.ts';

/** The process in which scanned pages are drawn and their text is recognised. */
const { memoryBytes, pixels, picturePixels } = JSON.parse(process.argv[2] ?? '') as ScanLimits;
const pdfium = once(() => loadPdfium(memoryBytes));
const recogniser = once(() => loadRecogniser(memoryBytes));
/** A page that is made out less is tried in other directions: most such pages are upside down. */
const TURNED_CONFIDENCE = 60;
/** Quarters of a turn. */
const TURNS = [2, 1, 3];

let pages: PdfPages | null = null;

async function work(job: ScanJob): Promise<ScanResult> {
  if (job.kind === 'open') {
    pages?.close();
    // The next document may fail to open.
    pages = null;
    pages = new PdfPages(await pdfium(), job.bytes);
    return { kind: 'open', pages: pages.count };
  }
  if (pages === null) throw new Error('No document is open.');
  if (job.kind === 'draw') {
    const { width, height, ...rest } = pages.draw(job.page, job.within);
    return { kind: 'draw', image: { width, height, png: toPng({ width, height, ...rest }) } };
  }
  const { page } = job;
  const found = pages.isScan(page, picturePixels)
    ? recognisePage(pages, page, await recogniser())
    : null;
  return { kind: 'recognise', found };
}

function recognisePage(from: PdfPages, page: number, recognise: Recognise): RecognisedText {
  const turned = (turns: number): RecognisedText =>
    recognise(from.drawScan(page, { pixels, turns }) as Bitmap & { channels: 1 });
  let best = turned(0);
  for (const turns of TURNS) {
    if (best.confidence >= TURNED_CONFIDENCE) return best;
    const other = turned(turns);
    if (other.confidence > best.confidence) best = other;
  }
  return best;
}

serveJobs(work);
