// The page as plain HTML, as it stands now: its text and what structures it, also in open shadow roots.

const MOST_HTML_CHARS = 1_000_000;
/** Of one text. */
const MOST_NODE_CHARS = 100_000;
const NOT_TEXT =
  /^(script|style|noscript|template|head|svg|canvas|iframe|object|embed|video|audio|img|input)$/;
const WITHOUT_END = /^(br|hr|wbr|col)$/;
const KEPT = ['href', 'colspan', 'rowspan'];
const assignedTo = method(HTMLSlotElement.prototype, 'assignedNodes');

/** @param {string} text */
function escaped(text) {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** Within limits of size and time; what is over them is left out. */
function htmlOfPage() {
  /** @type {string[]} */
  const parts = [`<!doctype html><title>${escaped(plain(page.title(), 300))}</title>`];
  const until = performance.now() + MOST_MS * 2;
  let chars = 0;
  let visited = 0;
  let isCut = false;

  /** @param {string} text */
  const put = (text) => {
    chars += text.length;
    parts.push(text);
    isCut ||= chars >= MOST_HTML_CHARS;
  };
  /** @param {Node} node @param {number} depth */
  const walk = (node, depth) => {
    if (isCut) return;
    if (nodeTypeOf(node) === Node.TEXT_NODE) {
      put(escaped((nodeValueOf(node) ?? '').slice(0, MOST_NODE_CHARS)));
      return;
    }
    if (!(node instanceof Element) || depth > MOST_DEPTH) return;
    visited += 1;
    isCut = visited > MOST_ELEMENTS || (visited % 200 === 0 && performance.now() > until);
    const tag = tagOf(node);
    if (NOT_TEXT.test(tag) || !/^[a-z][a-z0-9-]*$/.test(tag)) return;
    const kept = KEPT.flatMap((name) => {
      const value = attribute(node, name);
      return value === null ? [] : [` ${name}="${escaped(value.slice(0, 2_000))}"`];
    });
    put(`<${tag}${kept.join('')}>`);
    if (WITHOUT_END.test(tag)) return;
    const assigned = node instanceof HTMLSlotElement ? assignedTo(node) : [];
    const inner = assigned.length > 0 ? assigned : childNodesOf(shadowOf(node) ?? node);
    for (const child of inner) walk(child, depth + 1);
    put(`</${tag}>`);
  };
  const body = page.body();
  if (body !== null) walk(body, 0);
  return { html: parts.join(''), isCut };
}
