import { mapUnits } from './units.ts';

/**
 * The forms in which a text may be disguised. Patterns are matched against each; what is shown and run is
 * always the original text.
 */

/** Combining marks of Latin, Greek and Cyrillic, and enclosing ones; in other scripts they carry meaning. */
const MARKS = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]/g;
/**
 * Arabic sentences in one letter each. Compatible forms would make a text of them 18 times as long, in letters
 * that no pattern looks at.
 */
const SENTENCES = /[\ufdfa\ufdfb]/g;
/** Apostrophes as word processors set them. */
const APOSTROPHES = /[\u2018\u2019\u201b\u02bc\u02b9\u2032\u00b4`]/g;
/** Letters on a black background, and regional indicators: Unicode has no compatibility form for them. */
const BOXED = /[\u{1f150}-\u{1f169}\u{1f170}-\u{1f189}\u{1f1e6}-\u{1f1ff}]/gu;
const BOXED_FROM = [0x1f150, 0x1f170, 0x1f1e6];
/** Zero-width, bidirectional, tag and variation characters, soft hyphens. */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** Cyrillic and Greek lookalikes, after lower-casing, each before its Latin letter. */
const LOOKALIKE_UNITS = unitsOf(
  [
    'аa вb сc ԁd еe һh іi јj кk ӏl мm нh оo рp ԛq ѕs тt уy ѵv ԝw хx гr αa βb εe ηn ιi κk νv',
    'οo ρp τt υu χx γy ωw ϲc ıi ɡg ɑa ꮯc',
    // Small capitals.
    'ᴀa ʙb ᴄc ᴅd ᴇe ꜰf ɢg ʜh ɪi ᴊj ᴋk ʟl ᴍm ɴn ᴏo ᴘp ʀr ꜱs ᴛt ᴜu ᴠv ᴡw ʏy ᴢz',
  ].join(' '),
);
const LOOKALIKE = /[\u0370-\u052f\u0131\u0250-\u02af\u1d00-\u1d2b\ua730\ua731\uabaf]/;

const LEET_UNITS = unitsOf('0o 1i 3e 4a 5s 7t 8b @a $s !i');
const IN_LEET = /[a-z][013457@$][a-z]|(?<![\p{L}\d.,:/-])[013457@$]{1,3}[a-z]{2}/u;

/** Letters one by one: at least eight, with a space, dot or dash between. */
const SPACED_OUT = /(?<![\p{L}\d])(?:[a-z][ .*|_-]{1,4}){7,200}[a-z](?![\p{L}\d])/gu;

/** Compatibility forms resolved, invisible characters removed, lower case without marks. */
export function plain(text: string): string {
  return text
    .replace(APOSTROPHES, "'")
    .replace(SENTENCES, '\u0635')
    .normalize('NFKC')
    .replace(INVISIBLE, '')
    .replace(BOXED, unboxed)
    .toLowerCase()
    .normalize('NFD')
    .replace(MARKS, '')
    .normalize('NFC')
    .replace(/\s+/g, ' ');
}

/** What stands for each unit; 0 where nothing does. */
function unitsOf(pairs: string): Uint16Array {
  const units = new Uint16Array(0x10000);
  for (const pair of pairs.split(' ')) units[pair.charCodeAt(0)] = pair.charCodeAt(1);
  return units;
}

function unboxed(letter: string): string {
  const code = letter.codePointAt(0) ?? 0;
  const from = BOXED_FROM.findLast((first) => first <= code) ?? code;
  return String.fromCharCode(97 + code - from);
}

/** The forms of an already plain text, itself first; others only where they differ. */
export function disguises(text: string): string[] {
  const forms = [text];
  if (LOOKALIKE.test(text)) {
    forms.push(mapUnits(text, (unit) => LOOKALIKE_UNITS[unit] || unit));
  }
  const folded = forms.at(-1) ?? text;
  if (IN_LEET.test(folded)) {
    forms.push(mapUnits(folded, (unit) => LEET_UNITS[unit] || unit));
  }
  return forms;
}

/** What is spelled out letter by letter, without the separators. */
export function spelledOut(text: string): string[] {
  return (text.match(SPACED_OUT) ?? []).map((piece) => piece.replace(/[^a-z]/g, ''));
}

/** Flags of regions use tag characters for an honest reason. */
const FLAG = /\u{1f3f4}[\u{e0020}-\u{e007e}]{2,10}\u{e007f}/gu;
const TAGS = /[\u{e0020}-\u{e007e}]+/gu;

/** ASCII hidden in invisible tag characters; empty if there is none. */
export function hiddenInTags(text: string): string {
  if (!text.includes('\u{db40}')) return '';
  const tags = text.replace(FLAG, '').match(TAGS) ?? [];
  return [...tags.join('')]
    .map((letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) - 0xe0000))
    .join('');
}
