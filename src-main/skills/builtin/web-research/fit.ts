import { TokenEstimator } from '../../../models/window/token-estimate.ts';
import type { SkillContext, SkillPrompt } from '../../types.ts';
import type { UsedSource } from './types.ts';

const estimator = new TokenEstimator();
const SAMPLE_CHARS = 4_000;
const LINE_CHARS = 400;

/** Tokens of the marks around data. */
const FRAME_TOKENS = 120;

/** Tokens of material that fit into a request to this model beside its fixed part, at most `most`. */
export async function roomFor(
  { services }: Pick<SkillContext, 'services'>,
  fixed: SkillPrompt,
  most: number,
): Promise<number> {
  const chars = await services.llm.materialChars(fixed);
  const tokens = Math.floor((chars * 1_000) / estimator.charsOf(1_000)) - FRAME_TOKENS;
  return Math.max(0, Math.min(most, tokens));
}

/** Characters of text like this one that fit into so many tokens. */
export function charsOf(text: string, tokens: number): number {
  const sample = text.slice(0, SAMPLE_CHARS);
  if (sample === '') return 0;
  return Math.floor((tokens * sample.length) / estimator.text(sample));
}

/** Statements as numbered lines of at most so many tokens in all; the first of each source has priority. */
export function statementLines(sources: readonly UsedSource[], tokens: number): string[] {
  const ordered = sources
    .flatMap(({ index, statements }) => statements.map(({ text }, at) => ({ index, text, at })))
    .sort((one, other) => one.at - other.at || one.index - other.index);
  let left = tokens;
  const kept = ordered.filter(({ text }) => {
    const cost = estimator.text(text.slice(0, LINE_CHARS)) + 4;
    if (cost > left) return false;
    left -= cost;
    return true;
  });
  return kept
    .sort((one, other) => one.index - other.index || one.at - other.at)
    .map(({ index, text }) => `[${index}] ${text.slice(0, LINE_CHARS)}`);
}
