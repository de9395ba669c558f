import { PdfPages } from '../../scans/pdf-pages.ts';
import { loadPdfium } from '../../scans/pdfium.ts';

const MEMORY_BYTES = 256 * 1024 * 1024;
/** In which pages are compared, in pixels: differences that a reader sees are still there. */
const SIZE = { width: 480, height: 270 };
/** Edge of the squares in which they are compared. */
const WINDOW = 8;
/** Constants of the measure, for values from 0 to 255. */
const SMALL = (0.01 * 255) ** 2;
const SMALLER = (0.03 * 255) ** 2;

export interface AlikePages {
  /** How many pages each has. */
  readonly counts: readonly [number, number];
  /** By page, as far as both have it: 1 for the same, 0 for nothing in common. */
  readonly alike: readonly number[];
}

interface GreyPage {
  readonly width: number;
  readonly height: number;
  readonly values: Float64Array;
}

/** How alike the pages of two PDFs look. Throws `LIBRARY_UNREADABLE` for what is no PDF. */
export async function alikePages(one: Uint8Array, other: Uint8Array): Promise<AlikePages> {
  const pdfium = await loadPdfium(MEMORY_BYTES);
  const first = new PdfPages(pdfium, one);
  try {
    const second = new PdfPages(pdfium, other);
    try {
      const alike = Array.from({ length: Math.min(first.count, second.count) }, (_, at) =>
        similarity(greyPage(first, at + 1), greyPage(second, at + 1)),
      );
      return { counts: [first.count, second.count], alike };
    } finally {
      second.close();
    }
  } finally {
    first.close();
  }
}

function greyPage(pdf: PdfPages, number: number): GreyPage {
  const { width, height, data } = pdf.draw(number, SIZE);
  const values = new Float64Array(width * height);
  for (let at = 0; at < values.length; at += 1) {
    const [red = 0, green = 0, blue = 0] = data.subarray(at * 3, at * 3 + 3);
    values[at] = 0.299 * red + 0.587 * green + 0.114 * blue;
  }
  return { width, height, values };
}

/** Structural similarity (Wang et al. 2004), the mean over all squares. */
function similarity(one: GreyPage, other: GreyPage): number {
  const width = Math.min(one.width, other.width);
  const height = Math.min(one.height, other.height);
  let sum = 0;
  let count = 0;
  for (let top = 0; top + WINDOW <= height; top += WINDOW) {
    for (let left = 0; left + WINDOW <= width; left += WINDOW) {
      sum += squareSimilarity(one, other, { top, left });
      count += 1;
    }
  }
  return count === 0 ? 0 : sum / count;
}

function squareSimilarity(
  one: GreyPage,
  other: GreyPage,
  { top, left }: { readonly top: number; readonly left: number },
): number {
  let [a, b, aa, bb, ab] = [0, 0, 0, 0, 0];
  for (let y = top; y < top + WINDOW; y += 1) {
    for (let x = left; x < left + WINDOW; x += 1) {
      const p = one.values[y * one.width + x] ?? 0;
      const q = other.values[y * other.width + x] ?? 0;
      a += p;
      b += q;
      aa += p * p;
      bb += q * q;
      ab += p * q;
    }
  }
  const n = WINDOW * WINDOW;
  const [meanA, meanB] = [a / n, b / n];
  const [varA, varB] = [aa / n - meanA ** 2, bb / n - meanB ** 2];
  const both = ab / n - meanA * meanB;
  return (
    ((2 * meanA * meanB + SMALL) * (2 * both + SMALLER)) /
    ((meanA ** 2 + meanB ** 2 + SMALL) * (varA + varB + SMALLER))
  );
}
