import type { RecognisedText } from './types.ts';

/** Below it, a page counts as hard to make out. */
export const LOW_CONFIDENCE = 80;
/** Below it, what was recognised is noise: pictures of anything but text give such words. */
const NOISE = 30;
/** Longer paragraphs are marked again: an excerpt of the text must still say how it was read. */
const BLOCK_CHARS = 500;

/** Whether anything on a page was made out. */
export function isLegible({ text, confidence }: RecognisedText): boolean {
  return text !== '' && confidence >= NOISE;
}

/** A page's part of the text of its document: every block of it says that it was recognised, and how surely. */
export function describeScan(page: number, found: RecognisedText): string {
  if (!isLegible(found)) {
    return `[Page ${page}: a scan or picture in which OCR made out no text.]`;
  }
  const { text, confidence, uncertain } = found;
  const percent = Math.round(confidence);
  const isLow = confidence < LOW_CONFIDENCE;
  const care = isLow
    ? 'Low: expect wrong words and figures, and check them on the page itself.'
    : 'It may contain errors.';
  const mark = isLow ? `[OCR ${percent} %, low]` : `[OCR ${percent} %]`;
  const doubts = uncertain.length === 0 ? '' : ` Uncertain: ${uncertain.join(' · ')}.`;
  const blocks = blocksOf(text).map((block) => `${mark} ${block}`);
  return [
    `[Page ${page}: a scan, read by OCR with ${percent} % confidence. ${care}${doubts}]`,
    ...blocks,
  ].join('\n\n');
}

function blocksOf(text: string): string[] {
  return text.split(/\n{2,}/).flatMap((paragraph) => {
    const blocks: string[] = [''];
    for (const line of paragraph.split('\n')) {
      const last = blocks.length - 1;
      const block = blocks[last] ?? '';
      if (block.length + line.length > BLOCK_CHARS && block !== '') blocks.push(line);
      else blocks[last] = block === '' ? line : `${block}\n${line}`;
    }
    return blocks.filter((block) => block !== '');
  });
}
