import { numbersOf } from '../../../research-text/terms.ts';
import type { UsedSource } from './types.ts';

const CITATION = /\s?\[(\d+(?:\s*[,;]\s*\d+)*)\]/g;
/** A sentence with its citations, and the white space after it. */
const SENTENCE = /[\s\S]+?(?:[.!?\]]\s+(?![\s[])|[。！？](?:\s*\[[\d,;\s]+\])*|$)/g;
const MARKER = /^\s*(?:(?:[-*+>]|\d+[.)]|#{1,6})\s+)*/;

/**
 * A summary that may be shown: it cites only sources that exist and contain the numbers of their
 * sentence, and a sentence with a figure that no source has is left out.
 */
export function checkSummary(
  summary: string,
  { sources, given }: { readonly sources: readonly UsedSource[]; readonly given: string },
): string {
  const known = numbersOf(
    [given, ...sources.flatMap(({ title, statements }) => [title, ...statements.map(words)])].join(
      '\n',
    ),
  );
  const lines = summary
    .replaceAll('\r\n', '\n')
    .split('\n')
    .flatMap((line) => {
      const [marker = ''] = MARKER.exec(line) ?? [];
      const body = line.slice(marker.length);
      if (body.trim() === '') return [line];
      const kept = body.replace(SENTENCE, (sentence) =>
        isKnown(sentence, known, sources.length) ? withCitations(sentence, sources) : '',
      );
      return kept.trim() === '' ? [] : [marker + kept.trimEnd()];
    });
  return lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** The numbers of sources that a text cites. */
export function citationsOf(text: string): number[] {
  return [...text.matchAll(CITATION)].flatMap(([, numbers = '']) => numbersIn(numbers));
}

function isKnown(sentence: string, known: ReadonlySet<string>, sources: number): boolean {
  const figures = numbersOf(sentence.replace(CITATION, ''));
  // Such small numbers may count the sources themselves.
  return [...figures].every((figure) => known.has(figure) || isCount(figure, sources));
}

function isCount(figure: string, sources: number): boolean {
  return Number.isInteger(Number(figure)) && Number(figure) <= sources;
}

function withCitations(sentence: string, sources: readonly UsedSource[]): string {
  const claim = sentence.replace(CITATION, '');
  return sentence.replace(CITATION, (cited: string, numbers: string) => {
    const known = numbersIn(numbers).filter((number) => supports(claim, number, sources));
    const lead = /^\s/.test(cited) ? ' ' : '';
    return [...new Set(known)].map((number) => `${lead}[${number}]`).join('');
  });
}

/** Whether the source exists and has a figure of the claim, if the claim has any: several sources share its figures. */
function supports(claim: string, number: number, sources: readonly UsedSource[]): boolean {
  const source = sources.find(({ index }) => index === number);
  if (source === undefined) return false;
  const figures = numbersOf(claim);
  const known = numbersOf(source.statements.map(words).join('\n'));
  return figures.size === 0 || [...figures].some((figure) => known.has(figure));
}

const words = ({ text, quote }: UsedSource['statements'][number]): string => `${text}\n${quote}`;
const numbersIn = (list: string): number[] => list.split(/[,;]/).map(Number);
