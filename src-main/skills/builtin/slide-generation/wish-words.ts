/** Matches what one of the patterns does, in any case of letters. */
export function anyOf(...patterns: readonly RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => `(?:${source})`).join('|'), 'iu');
}

/** Bounded, so that no text takes long. */
const FILE =
  /(?<![\w.~/-])[\w.~/-]{1,200}\.(?:pptx|potx|pdf|docx?|xlsx?|csv|tsv|json|md|txt|png|jpe?g|svg)(?![a-z\d])/gi;

/** The sentences of a request. Names of files say nothing of what is wished: each stands as `FILE`. */
export function sentencesOf(request: string): string[] {
  return request
    .replaceAll('’', "'")
    .replace(FILE, ' FILE ')
    .split(/[.!?。！？;；\n؟]+/u)
    .filter((sentence) => sentence.trim() !== '');
}
