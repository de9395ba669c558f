import { makeVisible, nameOf } from '#contract/visible-text.ts';
import { suggestionStrings as words } from '../../strings/suggestions.ts';
import type { SuggestionTarget } from './suggestions.ts';
import type { TypedSign } from './typed-sign.ts';

/** What takes the place of a part of a text, and what is selected then. */
export interface TextEdit {
  readonly from: number;
  readonly to: number;
  readonly inserted: string;
  readonly selected: readonly [from: number, to: number];
}

/** What a suggestion puts in the place of the sign and what was typed after it. */
export function suggestionEdit(
  text: string,
  { from, query }: TypedSign,
  target: SuggestionTarget,
): TextEdit {
  const end = from + 1 + query.length;
  const inserted = insertedText(target, text.slice(0, from));
  // One space follows a name, and no second one.
  const to = inserted.endsWith(' ') && text.startsWith(' ', end) ? end + 1 : end;
  const field = target.kind === 'prompt' ? /\{\{[^{}\n]+\}\}/.exec(inserted) : null;
  const at = from + (field?.index ?? inserted.length);
  return { from, to, inserted, selected: [at, at + (field?.[0].length ?? 0)] };
}

/**
 * Changes the text of a field as typing does: the field says so itself, and Ctrl+Z takes it back. False where the
 * browser cannot.
 */
export function typeEdit(field: HTMLTextAreaElement, { from, to, inserted }: TextEdit): boolean {
  field.focus();
  field.setSelectionRange(from, to);
  // The one command that keeps the history of a text field; nothing has taken its place.
  return inserted === ''
    ? document.execCommand('delete')
    : document.execCommand('insertText', false, inserted);
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
    case 'resource':
    case 'offeredPrompt':
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
