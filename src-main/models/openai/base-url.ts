/**
 * The base address, to which `/chat/completions` is appended. Users enter it in every form: with `/v1`,
 * without it, or as the whole endpoint. An address with a version in its path is used as it is.
 */
export function openAiBaseUrl(text: string): string {
  const trimmed = text.trim().replace(/\/+$/, '');
  const base = trimmed.replace(/\/(chat\/completions|models)$/, '');
  const path = base.replace(/^[a-z]+:\/\/[^/]*/i, '');
  return /\/v\d+[a-z]*(\/|$)/i.test(path) ? base : `${base}/v1`;
}
