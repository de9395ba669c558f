import {
  ABOUT_COOKIES,
  AFTER_NOUNS,
  CERTAINTY,
  CHINESE_ACT,
  CHINESE_LINK,
  DESTROYS,
  FILLERS,
  HARMLESS_OBJECTS,
  NEGATIONS,
  NOUN_VERBS,
  OBJECTS,
  PHRASES,
  SPEAKS_OF,
  VERBS,
} from './act-words.ts';

/** So much of a name is read: a control that acts says so early. */
const READ_CHARS = 2_000;
/** Words of a link that may be a command; a longer one is a title. */
const LINK_WORDS = 6;

/**
 * Whether a control or link says by its name that it acts: it sends, pays, orders, deletes, publishes, confirms,
 * signs in. A link is read more strictly than a button, because titles of pages are links.
 */
export function nameActs(name: string, role: string): boolean {
  const text = plain(name);
  if (ABOUT_COOKIES.test(text)) return false;
  const isLink = role === 'link' || role === 'tab';
  if (/^[.#]\S/.test(text) && codeActs(name.slice(0, READ_CHARS), isLink)) return true;
  if ((isLink ? CHINESE_LINK : CHINESE_ACT).test(text.replace(/\s+/g, ''))) return true;
  const clauses = clausesOf(text);
  if (!isLink) return clauses.some((clause) => isCommand(clause) || leadsToAct(clause));
  const [first = ''] = clauses;
  return wordsOf(text).length <= LINK_WORDS && isCommand(first, role);
}

/** The same of what a control without a name is called in the code of its page, as `.fa-trash` or `#sendButton`. */
function codeActs(name: string, isLink: boolean): boolean {
  const words = wordsOf(
    name
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .replace(/[-_]/g, ' '),
  );
  if (words.some((word) => DESTROYS.has(word))) return true;
  const sends = words.join(' ').includes('paper plane');
  return !isLink && (sends || words.some((word) => VERBS.has(word)));
}

/** Whether what a page asks in a dialog is about such an act: its verbs count wherever they are. */
export function messageActs(message: string): boolean {
  const text = plain(message);
  if (CERTAINTY.test(text) || CHINESE_ACT.test(text.replace(/\s+/g, ''))) return true;
  const found = wordsOf(text);
  return found.some((word, i) => {
    if (VERBS.has(word) || NOUN_VERBS.has(word)) return true;
    return PHRASES.some((phrase) => phrase.test(found.slice(i, i + 6).join(' ')));
  });
}

/** Without characters that cannot be seen or that only change the look. */
function plain(name: string): string {
  return name
    .slice(0, READ_CHARS)
    .normalize('NFKC')
    .replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replace(/[‘’]/g, "'")
    .toLowerCase()
    .replace(/\b(sign|log|check)-(in|up|out|on|off)\b/g, '$1 $2')
    .replace(/\s+/g, ' ')
    .trim();
}

function clausesOf(text: string): string[] {
  return text.split(/[,.;:!?|·•→()[\]/]+(?=\s|$)|\s[-–—&+]\s|\sand\s|[\n]/);
}

function wordsOf(clause: string): string[] {
  return clause.match(/[\p{L}\p{N}][\p{L}\p{N}'-]*/gu) ?? [];
}

/** Whether a clause begins with what is done; in a link or a tab, it must not go on like a title. */
function isCommand(clause: string, strictRole: string | null = null): boolean {
  const all = wordsOf(clause);
  const start = all.findIndex((word) => !FILLERS.has(word));
  const [verb = '', next = ''] = start < 0 ? [] : all.slice(start);
  if (verb === '' || NEGATIONS.has(verb) || (verb === 'do' && NEGATIONS.has(next))) return false;
  if (PHRASES.some((phrase) => phrase.test(all.slice(start, start + 12).join(' ')))) return true;
  if (AFTER_NOUNS.has(next) || HARMLESS_OBJECTS.has(next)) return false;
  const isNoun = NOUN_VERBS.has(verb);
  if (!isNoun && !VERBS.has(verb)) return false;
  if (strictRole === null || OBJECTS.has(next)) return true;
  return next === '' && !(isNoun && strictRole === 'tab');
}

/** "Request to book", "I want to delete it". */
function leadsToAct(clause: string): boolean {
  const all = wordsOf(clause);
  return all.some((word, i) => {
    const verb = all[i + 1] ?? '';
    const isAct = word === 'to' && (VERBS.has(verb) || NOUN_VERBS.has(verb));
    return (
      isAct && !all.slice(0, i).some((before) => NEGATIONS.has(before) || SPEAKS_OF.has(before))
    );
  });
}
