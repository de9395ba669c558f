/**
 * Run in a page: what is cut off, hangs out of its card, or lies where no scrolling leads, a line each. Text and controls
 * are looked at; what scrolls may hide what is in it, and a text that ends in an ellipsis says that it goes on.
 */
export const LAYOUT_FAULTS = `(() => {
  const CONTROLS = 'button, input, textarea, select, img, a[href]';
  const DRAWN_ELSEWHERE = '.xterm, .cm-editor, .katex, .visually-hidden, svg, option, .skip-link';
  const TOLERANCE = 1.5;
  const styles = new Map();
  const styleOf = (one) => {
    if (!styles.has(one)) styles.set(one, getComputedStyle(one));
    return styles.get(one);
  };
  const hasText = (one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '');
  const isCard = (style) => style.borderTopWidth !== '0px' && style.borderLeftWidth !== '0px' && style.borderRadius !== '0px';
  const nameOf = (one) => (one.getAttribute('aria-label') ?? one.textContent ?? '').trim().slice(0, 40);
  const classOf = (one) => one.tagName.toLowerCase() + (typeof one.className === 'string' && one.className !== '' ? '.' + one.className.split(' ')[0] : '');
  const view = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  const faults = new Set();
  const look = (one, box) => {
    let [x, y, isFixed] = [true, true, styleOf(one).position === 'fixed'];
    for (let at = one.parentElement; at !== null && (x || y) && !isFixed; at = at.parentElement) {
      const style = styleOf(at);
      const clips = (value) => value === 'hidden' || value === 'clip';
      const scrolls = (value) => value === 'auto' || value === 'scroll';
      if (style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none') return null;
      if (scrolls(style.overflowX)) x = false;
      if (scrolls(style.overflowY)) y = false;
      const edge = at.getBoundingClientRect();
      const outX = x && (box.left < edge.left - TOLERANCE || box.right > edge.right + TOLERANCE);
      const outY = y && (box.top < edge.top - TOLERANCE || box.bottom > edge.bottom + TOLERANCE);
      if ((outX && clips(style.overflowX)) || (outY && clips(style.overflowY))) return 'cut off by ' + classOf(at);
      if ((outX || outY) && isCard(style) && style.display !== 'contents') return 'outside of ' + classOf(at);
      isFixed = style.position === 'fixed';
    }
    const isOut = (x && (box.left < -TOLERANCE || box.right > view.right + TOLERANCE)) ||
      (y && (box.top < -TOLERANCE || box.bottom > view.bottom + TOLERANCE));
    return isOut ? 'outside of the window' : null;
  };
  for (const one of document.body.querySelectorAll('*')) {
    if (!one.matches(CONTROLS) && !hasText(one)) continue;
    if (one.closest(DRAWN_ELSEWHERE) !== null || !one.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    const style = styleOf(one);
    const box = one.getBoundingClientRect();
    if (box.width <= 1 || box.height <= 1) continue;
    const isCut = style.textOverflow !== 'ellipsis' && style.webkitLineClamp === 'none' && style.overflowX === 'hidden' && one.scrollWidth > one.clientWidth + TOLERANCE && style.display !== 'inline';
    const fault = isCut ? 'its own text is cut off' : look(one, box);
    if (fault !== null) faults.add(classOf(one) + ' "' + nameOf(one) + '": ' + fault);
  }
  return [...faults].slice(0, 8);
})()`;
