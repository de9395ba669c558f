// Small things that show something without a text: icons, dots of a status, samples of a color. Classes and colors are
// all that can be said of them.

const LEAST_ICON = 4;
const MOST_ICON = 64;
const ICON_CHARS = 60;
const MOST_ICONS = 100;
const CLEAR = /^rgba\(.*, 0\)$|^transparent$/;

/**
 * What a small thing without content shows, such as `.dot.online #00ff00`; '' for what shows nothing.
 * @param {Element} element @param {CSSStyleDeclaration} style @param {DOMRect} rect
 */
function iconText(element, style, rect) {
  const { width, height } = rect;
  if (Math.min(width, height) < LEAST_ICON || Math.max(width, height) > MOST_ICON) return '';
  if (hasContent(element) || attribute(element, 'aria-hidden') === 'true') return '';
  const color = CLEAR.test(style.backgroundColor) ? '' : hexOf(style.backgroundColor);
  if (color === '' && !isPainted(element, style)) return '';
  return `${classesOf(element)} ${color}`.trim();
}

/** Puts icons into a line of text; the same ones in a row are counted. @returns {(line: string, icon: string) => string} */
function iconRow() {
  const last = { icon: '', shown: '', count: 0 };
  let icons = 0;
  return (line, icon) => {
    icons += 1;
    if (icons > MOST_ICONS) return line;
    const before = line.trimEnd();
    const isAgain = icon === last.icon && before.endsWith(last.shown);
    last.count = isAgain ? last.count + 1 : 1;
    const rest = isAgain ? before.slice(0, -last.shown.length) : line;
    last.icon = icon;
    last.shown = last.count === 1 ? ` (icon ${icon})` : ` (${last.count} icons ${icon})`;
    return `${rest}${last.shown} `;
  };
}

/** What the icon of a control without a name is called by who wrote the page; '' without one. @param {Element} element */
function iconName(element) {
  const inner = [...queryAllIn(element, '*')].slice(0, 20);
  for (const one of [element, ...inner]) {
    const named =
      attribute(one, 'data-icon') ??
      (tagOf(one) === 'use'
        ? (attribute(one, 'href') ?? attribute(one, 'xlink:href'))?.split('#')[1]
        : null) ??
      (one !== element && isIcon(one) ? classesOf(one) : '');
    const icon = plain(named, ICON_CHARS);
    if (icon !== '') return icon.startsWith('.') ? icon : `.${icon}`;
  }
  return '';
}

/** Parts of a drawing have classes too, but not by what they show. @param {Element} element */
function isIcon(element) {
  return tagOf(element) === 'svg' || (!(element instanceof SVGElement) && !hasContent(element));
}

/** @param {Element} element */
function hasContent(element) {
  return [...childNodesOf(element)].some(
    (child) => child instanceof Element || (nodeValueOf(child) ?? '').trim() !== '',
  );
}

/** By a picture of its style. @param {Element} element @param {CSSStyleDeclaration} style */
function isPainted(element, style) {
  if (style.backgroundImage !== 'none' || style.maskImage !== 'none') return true;
  const { content } = getComputedStyle(element, '::before');
  return content !== 'none' && content !== 'normal' && content !== '""';
}

/** As they are written in CSS. @param {Element} element */
function classesOf(element) {
  const names = classOf(element).split(' ').slice(0, 3);
  return plain(names.map((name) => (name === '' ? '' : `.${name}`)).join(''), ICON_CHARS);
}

/** `rgb(0, 255, 0)` as `#00ff00`; another notation stays. @param {string} color */
function hexOf(color) {
  const parts = /^rgba?\((\d+), (\d+), (\d+)/.exec(color);
  if (parts === null) return color;
  const hex = parts.slice(1).map((part) => Number(part).toString(16).padStart(2, '0'));
  return `#${hex.join('')}`;
}
