/** A page with more text than this has what it is about. */
const LITTLE_CHARS = 400;
/** With more than this, a request for JavaScript is not about the page as a whole. */
const SHELL_CHARS = 200;
/** Of the few words that stand there until scripts have run. */
const FEW_CHARS = 60;
/** The shell of a page is short, whatever data it carries. */
const MOST_SOURCE_CHARS = 500_000;

const SCRIPT = /<script\b([^>]{0,500})>/gi;
const DATA =
  /\btype=["']?(?:application\/(?:ld\+)?json|text\/template|speculationrules|importmap)/i;
/** The element that a framework fills, with nothing in it but a few words and empty elements. */
const EMPTY_MOUNT =
  /<(div|main|section)\b[^>]{0,200}\bid=["']?(?:root|app|main|__next|__nuxt|___gatsby|svelte|react-root|app-root|application|swagger-ui)["'\s>][^<]{0,100}(?:<(?!\/?(?:script|noscript)\b)[^>]{0,300}>\s{0,50}){0,40}<\/\1>|<([a-z]{1,30}-[a-z-]{1,30}|redoc)\b[^>]{0,300}>\s{0,50}<\/\2>/i;
const EMPTY_TABLE = /<tbody\b[^>]{0,200}>\s{0,50}<\/tbody>/i;
const NOSCRIPT = /<noscript\b[^>]{0,200}>((?:(?!<\/noscript)[\s\S]){0,2000})/gi;
/** Comments below a page are not what it is about. */
const COMMENTS = /comments?\b|kommentar|commentaire|comentario|评论/i;
const SAYS =
  /\b(?:enable|activate|turn on|requires?|needs?|without) javascript\b|\bjavascript (?:is )?(?:disabled|required|not available|not enabled)\b/i;
const WAITS = /^\W*(?:loading|please wait|just a moment|one moment|checking your browser)\b/i;
const REFRESH = /<meta\b[^>]{0,200}http-equiv=["']?refresh/i;
const PICTURE = /<(?:img|picture|video|object|embed|frameset)\b/i;

/**
 * Whether the text of a page is there only once its scripts have run, by the form of its HTML and the `text` that was
 * found in it. Call it in a thread with limits for pages from outside.
 */
export function needsScripts(html: string, text: string): boolean {
  const source = html.slice(0, MOST_SOURCE_CHARS);
  const words = text.trim();
  const runs = [...source.matchAll(SCRIPT)].some(([, attributes = '']) => !DATA.test(attributes));
  if (!runs || words.length > LITTLE_CHARS) return false;
  const hasMount = EMPTY_MOUNT.test(source);
  if (words === '') {
    return hasMount || !(REFRESH.test(source) || PICTURE.test(source.replaceAll(NOSCRIPT, '')));
  }
  // A banner may be all that stands beside an empty page; a heading belongs to what the page is about.
  if (hasMount && (words.length <= FEW_CHARS || !/<h1\b/i.test(source))) return true;
  if (words.length > SHELL_CHARS) return false;
  if (SAYS.test(words)) return true;
  if (words.length <= FEW_CHARS && (WAITS.test(words) || EMPTY_TABLE.test(source))) return true;
  return [...source.matchAll(NOSCRIPT)].some(
    ([, asked = '']) => /javascript/i.test(asked) && !COMMENTS.test(asked),
  );
}
