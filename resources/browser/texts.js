// Texts of a page: where words stand that somebody asks for, also across the elements that they are made of.

const MOST_FOUND = 20;
/** An element with more text around the words is no answer; a link or a button may hold an article. */
const FOUND_CHARS = 700;
const FOUND_IN_CONTROL_CHARS = 5_000;

/** Letters and digits: quotes, dashes and spaces may differ. @param {string} text */
function folded(text) {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ');
}

/** All of it, with single spaces: for words without letters. @param {string} text */
function spaced(text) {
  return text.toLowerCase().replace(/\s+/g, ' ');
}

/** The innermost elements whose shown text has the words. @param {string} wanted @returns {Element[]} */
function elementsWith(wanted) {
  const fold = /[\p{L}\p{N}]/u.test(wanted) ? folded : spaced;
  const words = fold(wanted).trim();
  if (words === '') return [];
  const { text, starts, holders, lengths } = textOfPage(fold);
  /** @type {Set<Element>} */
  const found = new Set();
  let at = text.indexOf(words);
  for (let looks = 0; at !== -1 && found.size < MOST_FOUND && looks < 500; looks += 1) {
    const [first, last] = [at, at + words.length - 1].map((place) => placeIn(starts, place));
    const element = commonOf(holders[first ?? 0], holders[last ?? 0]);
    if (element !== null && (lengths.get(element) ?? 0) <= mostOf(element)) found.add(element);
    at = text.indexOf(words, at + words.length);
  }
  return [...found];
}

/** @param {Element} element */
function mostOf(element) {
  return controlOf(element) === element ? FOUND_IN_CONTROL_CHARS : FOUND_CHARS;
}

/** What an element says, as a name. @param {Element} element */
function textName(element) {
  return plain(shownText(element));
}

/**
 * The shown text of the page without what stands in fields; where each piece of it begins, which
 * element has it, and how much an element has.
 * @param {(text: string) => string} fold
 */
function textOfPage(fold) {
  let text = '';
  /** @type {number[]} */
  const starts = [];
  /** @type {Element[]} */
  const holders = [];
  /** @type {Map<Element, number>} */
  const lengths = new Map();
  let visited = 0;
  /** @param {Node} node @param {Element} holder @param {boolean} isShown @param {number} depth */
  const walk = (node, holder, isShown, depth) => {
    visited += 1;
    if (visited > MOST_ELEMENTS || depth > MOST_DEPTH) return;
    if (nodeTypeOf(node) === Node.TEXT_NODE) {
      const piece = isShown ? fold((nodeValueOf(node) ?? '').slice(0, 20_000)) : '';
      if (piece === '') return;
      starts.push(text.length);
      holders.push(holder);
      text += text.endsWith(' ') ? piece.trimStart() : piece;
      return;
    }
    if (!(node instanceof Element) || SKIPPED.test(tagOf(node)) || matches(node, FIELDS)) return;
    const { display, visibility } = getComputedStyle(node);
    if (display === 'none') return;
    const isBlock = !/^(inline|contents)$/.test(display);
    if (isBlock && !text.endsWith(' ')) text += ' ';
    const start = text.length;
    for (const child of childrenOf(node)) walk(child, node, visibility === 'visible', depth + 1);
    lengths.set(node, text.length - start);
    if (isBlock && !text.endsWith(' ')) text += ' ';
  };
  walk(page.root(), page.root(), true, 0);
  return { text, starts, holders, lengths };
}

/** The piece that a place in the text belongs to. @param {number[]} starts @param {number} place */
function placeIn(starts, place) {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= place) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The innermost element around both, as they are shown. @param {Element | undefined} one @param {Element | undefined} other */
function commonOf(one, other) {
  const around = new Set(one === undefined ? [] : pathOf(one));
  return (other === undefined ? [] : pathOf(other)).find((element) => around.has(element)) ?? null;
}

/** An element and all around it, through slots and shadow roots. @param {Element} element */
function pathOf(element) {
  const path = [];
  /** @type {Element | null} */
  let at = element;
  while (at !== null && path.length < MOST_DEPTH) {
    path.push(at);
    at = aroundOf(at);
  }
  return path;
}
