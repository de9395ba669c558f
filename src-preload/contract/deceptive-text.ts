import { nameOf, visibleSegments } from './visible-text.ts';

/**
 * A piece of text under review: plain, a hidden character as its name, a look-alike letter with its name,
 * or the length of a gap that would push the rest out of sight.
 */
export interface ReviewSegment {
  readonly text: string;
  readonly kind: 'plain' | 'hidden' | 'look_alike' | 'gap';
}

/** Longer runs of blank lines or spaces are replaced with their length. */
const GAP = /\n((?:[ \t]*\n){8,})|( {80,}|\t{20,})/g;

/**
 * Cyrillic, Greek, Armenian and non-ASCII Latin letters that look like ASCII letters, from Unicode's
 * confusables (UTS 39). They deceive inside other words, not in words of their own language.
 */
const LOOK_ALIKES = new Set(
  'аАВсСԁеЕҽғɡНһіІїјЈКӏІмМноОрРԛгѕЅтТуУѵԝхХΥΑΒΕΖΗΙΚΜΝΟΡΤΧαγικνορτυχօսոհցԱՍℓıɑɩʋᴄᴏᴜᴠᴡᴢⅰⅴⅹⅼⅽⅾⅿ',
);
const NATIVE = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}]/u;
const WORD = /[\p{L}\p{N}\p{M}_]+/gu;
/** Characters that look like ASCII `/`, `:`, `.`, `;`, quotes and dashes in addresses, paths and options. */
const SIGNS =
  /[\u2044\u2215\u29f8\uff0f\u02d0\u2236\ua789\uff1a\u2024\uff0e\u037e\uff1b\u02bc\uff07\uff02\u2010-\u2012\u2212\ufe63\uff0d]/u;

/** Splits `text` so that a view can highlight deceptive characters. Only gaps are shortened to their length. */
export function reviewSegments(text: string): ReviewSegment[] {
  const segments: ReviewSegment[] = [];
  const isWritten = writtenScripts(text);
  let from = 0;
  for (const gap of text.matchAll(GAP)) {
    const [whole, lines, blanks = ''] = gap;
    // Not spread as call arguments: there may be a million.
    for (const one of markCharacters(text.slice(from, gap.index), isWritten)) segments.push(one);
    if (lines === undefined) {
      const what = blanks.startsWith(' ') ? 'spaces' : 'tabs';
      segments.push({ text: `⟨${blanks.length} ${what}⟩`, kind: 'gap' });
    } else {
      const count = lines.split('\n').length - 1;
      segments.push({ text: '\n', kind: 'plain' }, { text: `⟨${count} blank lines⟩`, kind: 'gap' });
      segments.push({ text: '\n', kind: 'plain' });
    }
    from = gap.index + whole.length;
  }
  return segments.concat(markCharacters(text.slice(from), isWritten));
}

/** The same as one text, for a terminal, with names in place of deceptive characters. */
export function reviewText(text: string): string {
  return reviewSegments(text)
    .map((segment) => segment.text)
    .join('');
}

function markCharacters(text: string, isWritten: (letter: string) => boolean): ReviewSegment[] {
  const judge = createJudge(isWritten);
  return visibleSegments(text).flatMap(({ text: piece, hidden }): ReviewSegment[] =>
    hidden ? [{ text: piece, kind: 'hidden' }] : markLookAlikes(piece, judge),
  );
}

type Judge = (character: string, isWord: boolean, isMixed: boolean) => boolean;

/** Caches the verdict of each character by its context, because texts repeat characters. */
function createJudge(isWritten: (letter: string) => boolean): Judge {
  const known = [0, 1, 2].map(() => new Map<string, boolean>());
  return (character, isWord, isMixed) => {
    if (character <= '\u007f') return false;
    const verdicts = known[isWord ? (isMixed ? 2 : 1) : 0];
    const verdict = verdicts?.get(character);
    if (verdict !== undefined) return verdict;
    const fresh = deceives(character, { isWord, isMixed, isWritten });
    verdicts?.set(character, fresh);
    return fresh;
  };
}

function markLookAlikes(text: string, judge: Judge): ReviewSegment[] {
  const segments: ReviewSegment[] = [];
  let plain = '';
  const mark = (character: string): void => {
    if (plain !== '') segments.push({ text: plain, kind: 'plain' });
    plain = '';
    segments.push({ text: `${character}${nameOf(character)}`, kind: 'look_alike' });
  };
  const take = (part: string, isWord: boolean): void => {
    const isMixed = isWord && /[a-z]/i.test(part);
    for (const character of part) {
      if (judge(character, isWord, isMixed)) mark(character);
      else plain += character;
    }
  };
  let from = 0;
  for (const word of text.matchAll(WORD)) {
    take(text.slice(from, word.index), false);
    take(word[0], true);
    from = word.index + word[0].length;
  }
  take(text.slice(from), false);
  if (plain !== '') segments.push({ text: plain, kind: 'plain' });
  return segments;
}

interface Place {
  readonly isWord: boolean;
  /** Whether the word also contains ASCII letters. */
  readonly isMixed: boolean;
  readonly isWritten: (letter: string) => boolean;
}

function deceives(character: string, { isWord, isMixed, isWritten }: Place): boolean {
  if (!isWord) return SIGNS.test(character) && !isFullWidth(character);
  // Many programs treat full-width and mathematical letters as ASCII letters.
  if (/^[a-z0-9]$/i.test(character.normalize('NFKC'))) return isMixed || !isFullWidth(character);
  return LOOK_ALIKES.has(character) && (isMixed || !isWritten(character));
}

/** Common and harmless in Chinese and Japanese text. */
function isFullWidth(character: string): boolean {
  return character >= '\uff01' && character <= '\uff5e';
}

/** Whether the text uses a letter's script for real: it has letters of that script that are no look-alikes. */
function writtenScripts(text: string): (letter: string) => boolean {
  const found = new Set<string>();
  for (const character of new Set(text)) {
    const script = scriptOf(character);
    if (script !== null && !LOOK_ALIKES.has(character)) found.add(script);
  }
  return (letter) => found.has(scriptOf(letter) ?? '');
}

function scriptOf(character: string): string | null {
  if (!NATIVE.test(character)) return null;
  if (/\p{Script=Cyrillic}/u.test(character)) return 'Cyrillic';
  return /\p{Script=Greek}/u.test(character) ? 'Greek' : 'Armenian';
}
