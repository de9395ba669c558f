import { PROMPT_LIMIT_COUNT, PROMPT_NAME_CHARS, PROMPT_TEXT_CHARS } from '#contract/limits.ts';
import type { SavedPrompt } from '#contract/settings.ts';
import { promptStrings } from '../strings/prompts.ts';

const { problems } = promptStrings;

/** Why a prompt cannot be saved, for the user; null if it can. `before`: its name until now, null for a new one. */
export function promptProblem(
  saved: readonly SavedPrompt[],
  { name, text }: SavedPrompt,
  before: string | null,
): string | null {
  if (before === null && saved.length >= PROMPT_LIMIT_COUNT) {
    return problems.tooMany(PROMPT_LIMIT_COUNT);
  }
  if (name.length > PROMPT_NAME_CHARS) return problems.longName(PROMPT_NAME_CHARS);
  if (name !== before && saved.some((other) => other.name === name)) return problems.taken;
  return text.length > PROMPT_TEXT_CHARS ? problems.longText(text.length, PROMPT_TEXT_CHARS) : null;
}

/** The prompts with this one in the place of the one named `before`; with null, at the end. */
export function withPrompt(
  saved: readonly SavedPrompt[],
  prompt: SavedPrompt,
  before: string | null,
): SavedPrompt[] {
  const isKnown = saved.some(({ name }) => name === before);
  return isKnown
    ? saved.map((other) => (other.name === before ? prompt : other))
    : [...saved, prompt];
}
