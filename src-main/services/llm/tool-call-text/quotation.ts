/**
 * Words decide where form does not: whether a sentence presents what follows it as an example, or
 * announces it as the model's own act. Forms with marks of their own are taken for calls unless the
 * words right before them show them around; forms that any text may have (JSON, a fenced block) are
 * taken only after an announcement, or when they are the whole answer.
 */
const PRESENTS = new RegExp(
  [
    String.raw`\b(?:for example|for instance|e\.\s?g\.?|i\.\s?e\.?|such as|like (?:this|so|that)|as follows|namely)`,
    String.raw`\b(?:examples?|sample|template|format|syntax|snippet|notation|pattern)(?: (?:of|for|call|usage|output|reply|answer|message)\b[^.!?]*)?(?: (?:is|was|are|would be|looks like))?`,
    String.raw`\b(?:would|should|could|might|must|will) (?:be|look|look like|read|write|say|output|emit|send|contain)\b[^.!?]*`,
    String.raw`\b(?:you|one|users?|models?|developers?|people|they|we) (?:can|could|would|should|may|must|might|need to|have to)\b[^.!?]*`,
    String.raw`\b(?:returned|returns|responded|replied|answered|said|says|wrote|writes|written|contains?|contained|reads|printed|prints|shows?|showed|quoted?|reports?|reported|logged)`,
    String.raw`\b(?:zum beispiel|z\.\s?b\.|beispiel|par exemple|exemple|por ejemplo|ejemplo|per esempio|esempio|por exemplo|exemplo|например)`,
    '(?:例如|比如|譬如|例えば|たとえば|예를 들어)',
  ]
    .map((part) => `(?:${part})`)
    .join('|')
    .replace(/^(.*)$/s, String.raw`(?:$1)[\s,;:，：、。*_-]*$`),
  'iu',
);

const SHOWS_AROUND = new RegExp(
  [
    String.raw`\b(?:examples?|e\.g|for instance|such as|like (?:this|so)|looks? like|would|could|might|suppose|imagine|hypothetical\w*|pretend)\b`,
    String.raw`\b(?:format|syntax|schema|template|sample|snippet|json|payload|body|documentation|docs|notation|illustrat\w+|demonstrat\w+)\b`,
    String.raw`\b(?:instead of|rather than|never|do not|don['’]t|cannot|can['’]t|avoid|wrong|incorrect|invalid|previous(?:ly)?|earlier|last time)\b`,
    String.raw`\b(?:you|users?|models?|they|someone) (?:can|should|must|may|need|want|asked|wrote|said|sent)\b`,
    String.raw`\b(?:returned|responded|replied|answered|said|says|wrote|written|contains?|quoted?|how to)\b`,
    String.raw`\b(?:beispiel|exemple|ejemplo|esempio|exemplo)\b|例|比如|예를 들어|например`,
  ].join('|'),
  'iu',
);

const ANNOUNCES = new RegExp(
  String.raw`^(?:[\s*_#>-]|(?:sure|ok(?:ay)?|certainly|of course|alright|absolutely|got it|great|right|yes|now|next|then|first|so|and|well)\b[\s,.!:;-]*)*` +
    '(?:$|(?:' +
    [
      String.raw`i(?:['’]ll| will|['’]m going to| am going to| need to| must| have to| am|['’]m)\b`,
      String.raw`let(?:['’]s| me| us)\b`,
      String.raw`(?:calling|invoking|using|running|checking|executing|searching|fetching|looking|getting|reading|opening)\b`,
      String.raw`(?:action|tool[ _]?(?:calls?|code|use)|function[ _]?calls?)\b`,
      String.raw`here (?:is|are|['’]s) (?:the|my) (?:results?|(?:(?:tool|function) )?calls?)\b`,
      String.raw`(?:ich (?:werde|rufe)|lass mich|ich (?:prüfe|suche)|je (?:vais|vérifie)|voy a|déjame|permíteme|vou|deixe-me|sto per)(?!\p{L})`,
      '我(?:来|将|会|要|先|需要)|让我|正在|これから|確認します',
    ].join('|') +
    '))',
  'iu',
);

const EXPLAINS_CALL =
  /\b(?:examples?|e\.g|this is (?:how|what|an?|the)|that['’]?s (?:how|what)|that is (?:how|what)|format|syntax|schema|snippet|placeholder|replace|above|you (?:can|could|should|would|may|need)|would (?:be|call|look|fetch|get|return|run)|such a call|this (?:call|json|object|would|request|shows|asks))\b/i;

/** Whether the words before a call in a family's own marks show it to the reader. */
export function presentsExample(lead: string): boolean {
  return PRESENTS.test(lead.trimEnd());
}

/** Whether the words before a form that may be anything announce it as a call being made. */
export function announcesCall(lead: string): boolean {
  const sentence = lastSentence(lead);
  return ANNOUNCES.test(sentence) && !SHOWS_AROUND.test(lead.slice(-200));
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
