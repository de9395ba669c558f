/**
 * Words decide where form does not: whether a sentence shows what follows it, or announces it as
 * the model's own act. A call in marks of its own is a call unless the words right before it show it
 * around. A form that any text may have (JSON, a fenced block) is a call only after an announcement,
 * or as the whole answer. In doubt nothing is done: a call that is missed can be asked for again.
 */

/** Anywhere in the sentence before a call, these make an example of it. */
const FOR_EXAMPLE = oneOf(
  String.raw`\b(?:for example|for instance|e\.\s?g\b|such as|like (?:this|so)|as follows|looks? like)`,
  String.raw`\b(?:zum beispiel|z\.\s?b\.|par exemple|por ejemplo|per esempio|por exemplo|например)`,
  '例如|比如|譬如|例えば|たとえば|예를 들어',
);

const SAMPLE =
  'examples?|sample|template|format|syntax|snippet|notation|pattern|beispiel|exemple|ejemplo|esempio|exemplo';

/** In the last clause of a sentence that announces nothing, these present what follows. */
const PRESENTS = oneOf(
  String.raw`\b(?:${SAMPLE}) (?:of|for|call|usage|output|reply|answer|message)\b`,
  String.raw`\b(?:you|one|users?|models?|developers?|people|they) (?:can|could|would|should|may|must|might|need to|have to) (?:\w+ )?(?:write|call|use|invoke|say|send|emit|output|answer|reply|respond|put|type|make|produce|generate)\b`,
);

/** The same at its very end. */
const PRESENTS_LAST = new RegExp(
  String.raw`\b(?:${[
    `(?:${SAMPLE})(?: (?:is|was|are))?`,
    String.raw`(?:would|should|could|might|must) (?:be|read|write|say|output|emit|send|contain)(?: \w+){0,2}`,
    'returned|returns|responded|replied|answered|said|says|wrote|writes|written|contains?|contained|reads|printed|prints|shows?|showed|quoted?|reports?|reported|logged',
  ].join('|')})$`,
  'iu',
);
/** What may stand between the words and what they present. */
const PUNCTUATION = ',;:，：、。*_-';

/** In an announcement, these say that the act is one of showing. */
const SHOWS = /\b(?:show|give|demonstrate|illustrate|explain|provide)\b/i;

/** Near a form that may be anything, these forbid to take it for a call. */
const SHOWS_AROUND = oneOf(
  String.raw`\b(?:examples?|would|could|might|suppose|imagine|hypothetical\w*|pretend)\b`,
  String.raw`\b(?:format|syntax|schema|template|sample|snippet|json|payload|body|documentation|docs|notation|illustrat\w+|demonstrat\w+)\b`,
  String.raw`\b(?:instead of|rather than|never|do not|don['’]t|cannot|can['’]t|avoid|wrong|incorrect|invalid|previous(?:ly)?|earlier|last time)\b`,
  String.raw`\b(?:you|users?|models?|they|someone) (?:can|should|must|may|need|want|asked|wrote|said|sent)\b`,
  String.raw`\b(?:returned|responded|replied|answered|said|says|wrote|written|contains?|quoted?|how to)\b`,
  String.raw`\b(?:beispiel|exemple|ejemplo|esempio|exemplo)\b|例`,
);

/** Behind each word its separators are taken as a whole: given back one by one, they have no end of readings. */
const ANNOUNCES = new RegExp(
  String.raw`^(?:[\s*_#>-]|(?:sure|ok(?:ay)?|certainly|of course|alright|absolutely|got it|great|right|yes|now|next|then|first|so|and|well)\b(?=([\s,.!:;-]*))\1)*(?:$|` +
    [
      String.raw`i(?:['’]ll| will|['’]m going to| am going to| need to| must| have to| am|['’]m)\b`,
      String.raw`let(?:['’]s| me| us)\b`,
      String.raw`(?:calling|invoking|using|running|checking|executing|searching|fetching|looking|getting|reading|opening)\b`,
      String.raw`(?:action|tool[ _]?(?:calls?|code|use)|function[ _]?calls?)\b`,
      String.raw`here (?:is|are|['’]s) (?:the|my) (?:results?|(?:(?:tool|function) )?calls?)\b`,
      String.raw`(?:ich (?:werde|rufe|prüfe|suche)|lass mich|je (?:vais|vérifie)|voy a|déjame|permíteme|vou|deixe-me|sto per)(?!\p{L})`,
      '我(?:来|将|会|要|先|需要)|让我|正在|これから|確認します',
    ].join('|') +
    ')',
  'iu',
);

/** Behind bare JSON, these explain it. */
const EXPLAINS_CALL =
  /\b(?:examples?|e\.g|this is (?:how|what|an?|the)|that['’]?s (?:how|what)|that is (?:how|what)|format|syntax|schema|snippet|placeholder|replace|above|you (?:can|could|should|would|may|need)|would (?:be|call|look|fetch|get|return|run)|such a call|this (?:call|json|object|would|request|shows|asks))\b/i;

/** Whether the words before a call in a family's own marks show it to the reader. */
export function presentsExample(lead: string): boolean {
  const sentence = lastSentence(lead);
  if (sentence === '') return false;
  if (FOR_EXAMPLE.test(sentence)) return true;
  return ANNOUNCES.test(sentence) ? SHOWS.test(sentence) : presents(sentence);
}

function presents(sentence: string): boolean {
  const clause = sentence.slice(lastEnd(sentence, (char) => '.!?'.includes(char)));
  if (PRESENTS.test(clause)) return true;
  const isWord = (char: string): boolean => !PUNCTUATION.includes(char) && char.trim() !== '';
  return PRESENTS_LAST.test(sentence.slice(0, lastEnd(sentence, isWord)));
}

/** Behind the last unit of `text` that `is` what is looked for; 0 without one. */
function lastEnd(text: string, is: (char: string) => boolean): number {
  let end = text.length;
  while (end > 0 && !is(text.charAt(end - 1))) end -= 1;
  return end;
}

/** Whether the words before a form that may be anything announce it as a call being made. */
export function announcesCall(lead: string): boolean {
  const near = lead.slice(-200);
  const shown = SHOWS_AROUND.test(near) || FOR_EXAMPLE.test(near);
  return !shown && ANNOUNCES.test(lastSentence(lead));
}

/** Whether what follows bare JSON speaks about it: goes on with the sentence, or explains it. */
export function mentionsCall(after: string): boolean {
  const rest = after.replace(/^[\]}]+/, '');
  if (rest.trim() === '') return false;
  const startsAnew = /^\s*\n/.test(rest) || /^\s+[\p{Lu}\p{Lo}]/u.test(rest);
  return !startsAnew || EXPLAINS_CALL.test(rest);
}

function lastSentence(text: string): string {
  const sentences = text.trim().split(/(?<=[.!?。！？])\s+|\n+/u);
  return sentences.at(-1) ?? '';
}

function oneOf(...patterns: string[]): RegExp {
  return new RegExp(patterns.map((pattern) => `(?:${pattern})`).join('|'), 'iu');
}
