import { makeVisible, nameOf } from '#contract/visible-text.ts';
import { suggestionStrings as words } from '../../strings/suggestions.ts';
import type { SuggestionTarget } from './suggestions.ts';
import type { TypedSign } from './typed-sign.ts';

/** A text with what is selected in it. */
export interface EditedText {
  readonly text: string;
  readonly selected: readonly [from: number, to: number];
}

/** The message once a suggestion took the place of the sign and what was typed after it. */
export function insertSuggestion(
  text: string,
  { from, query }: TypedSign,
  target: SuggestionTarget,
): EditedText {
  const before = text.slice(0, from);
  const after = text.slice(from + 1 + query.length);
  const inserted = insertedText(target, before);
  // One space follows a name, and no second one.
  const rest = inserted.endsWith(' ') && after.startsWith(' ') ? after.slice(1) : after;
  const field = target.kind === 'prompt' ? /\{\{[^{}\n]+\}\}/.exec(inserted) : null;
  const at = from + (field?.index ?? inserted.length);
  return { text: before + inserted + rest, selected: [at, at + (field?.[0].length ?? 0)] };
}

function insertedText(target: SuggestionTarget, before: string): string {
  switch (target.kind) {
    case 'prompt':
      return target.text;
    case 'file':
      return `${inCode(target.path)} `;
    case 'document':
      return `${inCode(readableAddress(target.url))} `;
    case 'skill':
      // How a message begins that names its skill; elsewhere a sentence says it.
      return before.trim() === '' ? `/${target.skillId} ` : words.skillSentence(target.skillId);
    case 'mode':
    case 'task':
    case 'action':
      return '';
  }
}

/** Text between as many backticks as it needs, on one line and without hidden characters: anyone can name a file. */
function inCode(text: string): string {
  const shown = makeVisible(text).replace(/[\n\t]/g, nameOf);
  const longest = Math.max(0, ...(shown.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  const space = longest > 0 ? ' ' : '';
  return fence + space + shown + space + fence;
}

/** The address of a document with the letters of its name, where they are a name; its key alone leads to it. */
function readableAddress(url: string): string {
  try {
    const decoded = decodeURIComponent(url);
    return /^[\p{L}\p{M}\p{N} :/._()-]+$/u.test(decoded) ? decoded : url;
  } catch {
    // Not from us: it stays as it is.
    return url;
  }
}
