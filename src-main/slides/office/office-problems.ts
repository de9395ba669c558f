import type { Deck } from '#contract/slides.ts';
import type { AlikePages } from './alike-pages.ts';

/**
 * Pages that are less alike than this differ in what they show, and not only in how fonts and charts are drawn: of 459 pages of
 * decks by others, with other fonts in LibreOffice too, none is (`npm run bench slides -- decks`).
 */
const LEAST_ALIKE = 0.6;
/**
 * On templates, whose fonts may be known neither here nor there: of 864 pages on 72 templates by others 4 are less alike, all of one
 * whose gradients the preview does not show (`npm run bench slide-templates`).
 */
const LEAST_ALIKE_ON_TEMPLATES = 0.5;

/** What LibreOffice shows differently, a sentence each. */
export function officeProblems(
  { counts: [theirs, ours], alike }: AlikePages,
  { template }: Pick<Deck, 'template'>,
): string[] {
  const least = template === undefined ? LEAST_ALIKE : LEAST_ALIKE_ON_TEMPLATES;
  const problems: string[] = [];
  if (theirs !== ours) problems.push(`LibreOffice shows ${theirs} pages instead of ${ours}.`);
  for (const [at, share] of alike.entries()) {
    if (share >= least) continue;
    const similarity = `similarity ${share.toFixed(2)} of 1`;
    problems.push(`LibreOffice shows page ${at + 1} differently (${similarity}).`);
  }
  return problems;
}
