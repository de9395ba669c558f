// The view of a page: what can be acted on, headings and text, in the order in which they stand.

/** Elements that are visited, and the time for it: a page of any size gets a view. */
const MOST_ELEMENTS = 25_000;
const MOST_DEPTH = 400;
const MOST_MS = 400;
const MOST_ITEMS = 4_000;
const TEXT_CHARS = 600;
/** Drawings with more parts are charts and maps, not buttons. */
const MOST_SHAPES = 40;
const ICON_TAGS = /^(span|div|i|b|em|li|td)$/;
const SKIPPED = /^(script|style|noscript|template|head|link|meta|source|track|object|embed)$/;

/**
 * @typedef {{
 *   kind: 'action' | 'heading' | 'text' | 'frame' | 'opaque', near: number, depth: number, modal: boolean,
 *   ref?: number, role?: string, name?: string, states?: string[], value?: string | null, options?: string[],
 *   extra?: string, level?: number, text?: string, href?: string | null, isSubmit?: boolean, form?: number,
 * }} ViewItem
 */

/** Screens between an element and what is in sight: 0 for what is. @param {DOMRect} rect */
function distanceOf(rect) {
  const height = Math.max(innerHeight, 1);
  const width = Math.max(innerWidth, 1);
  if (rect.bottom <= 0) return Math.max(-1, rect.bottom / height - 0.01);
  if (rect.top >= height) return Math.max(0.01, rect.top / height);
  return rect.right <= 0 || rect.left >= width ? 0.5 : 0;
}

/** @param {Element} root @param {{ whole: boolean }} options */
function viewOf(root, { whole }) {
  /** @type {ViewItem[]} */
  const items = [];
  /** @type {Map<Element, number>} */
  const forms = new Map();
  const until = performance.now() + MOST_MS;
  let visited = 0;
  let isCut = false;
  let line = '';
  let lineNear = 0;
  let frames = 0;
  const row = iconRow();

  /** @param {boolean} modal @param {number} depth */
  const flush = (modal, depth) => {
    const text = plain(line, TEXT_CHARS).replace(/^[\s|]+|[\s|]+$/g, '');
    line = '';
    if (text !== '') items.push({ kind: 'text', near: lineNear, depth, modal, text });
  };
  /** What a click on an element does besides, with the place of its form. @param {Element} element */
  const placedReach = (element) => {
    const { href, isSubmit, sender } = reachOf(element);
    if (sender === null) return { href, isSubmit };
    const place = forms.get(sender) ?? forms.size;
    forms.set(sender, place);
    return { href, isSubmit, form: place };
  };

  /** @param {Node} node @param {{ depth: number, pointer: boolean, modal: boolean, hidden: boolean, mute: boolean, rect: DOMRect | null }} at */
  const walk = (node, at) => {
    if (isCut) return;
    if (nodeTypeOf(node) === Node.TEXT_NODE) {
      const text = nodeValueOf(node) ?? '';
      if (at.hidden || at.mute || text.trim() === '') {
        if (line !== '' && text !== '') line += ' ';
        return;
      }
      if (line === '') lineNear = at.rect === null ? 0 : nearOfText(node, at.rect);
      if (line.length < TEXT_CHARS * 2) line += text.slice(0, TEXT_CHARS * 2);
      return;
    }
    if (!(node instanceof Element)) return;
    visited += 1;
    if (
      visited > MOST_ELEMENTS ||
      items.length > MOST_ITEMS ||
      (visited % 200 === 0 && performance.now() > until)
    ) {
      isCut = true;
      return;
    }
    const tag = tagOf(node);
    if (SKIPPED.test(tag) || at.depth > MOST_DEPTH) return;
    const style = getComputedStyle(node);
    if (style.display === 'none' || style.contentVisibility === 'hidden') return;
    const isHidden = style.visibility !== 'visible' && style.visibility !== '';
    const rect = style.display === 'contents' ? at.rect : rectOf(node);
    const modal = at.modal || isModal(node, tag);
    const inner = { ...at, depth: at.depth + 1, modal, hidden: isHidden, rect };
    const isInline = /^(inline|contents|ruby)/.test(style.display);
    const isCell = style.display === 'table-cell';
    const isShown = !isHidden && rect !== null && rect.width > 0 && rect.height > 0;
    const role =
      isShown || (tag === 'input' && !isHidden) ? actionRole(node, style, at.pointer) : '';
    const icon = role === '' && isShown && ICON_TAGS.test(tag) ? iconText(node, style, rect) : '';
    if (icon !== '' && !at.pointer) {
      if (line === '') lineNear = distanceOf(rect);
      if (line.length < TEXT_CHARS) line = row(line, icon);
      return;
    }
    if (!isInline && !isCell) flush(at.modal, at.depth);
    if (tag === 'br') flush(at.modal, at.depth);
    if (isCell && line.trim() !== '') line += ' | ';
    // The name of a field that is shown says it already.
    if (node instanceof HTMLLabelElement && node.control && hiddenControl(node) === null)
      inner.mute = true;

    if (tag === 'iframe' || tag === 'frame') {
      flush(modal, at.depth);
      if (isShown && rect.width > 4 && rect.height > 4) {
        items.push({
          ...base(node, 'frame', rect, modal, at.depth),
          name: nameOf(node),
          extra: String(frames),
        });
      }
      frames += 1;
      return;
    }
    if (tag === 'svg' || tag === 'canvas') {
      flush(modal, at.depth);
      if (isShown) addDrawing(node, tag, { rect, modal, depth: at.depth, pointer: at.pointer });
      return;
    }
    if (role !== '' && (isShown || hasArea(node))) {
      const isBox =
        /^(listbox|clickable|draggable|treeitem|tab|option|menuitem)$/.test(role) &&
        hasActions(node);
      flush(modal, at.depth);
      items.push(
        actionItem(node, role, { rect: rect ?? new DOMRect(), modal, depth: at.depth }, isBox),
      );
      // A text that is too long for a name is no name: it follows whole.
      const isText = role === 'clickable' && nameOf(node).endsWith('…');
      if (!isBox && !isText) return;
      inner.pointer = style.cursor === 'pointer';
    } else {
      inner.pointer = at.pointer && style.cursor === 'pointer';
      const level = headingLevel(node, tag);
      if (level > 0 && isShown && !hasActions(node)) {
        flush(modal, at.depth);
        const name = nameOf(node);
        if (name !== '')
          items.push({
            kind: 'heading',
            near: distanceOf(rect),
            depth: at.depth,
            modal,
            level,
            text: name,
          });
        return;
      }
      if (tag === 'img' && isShown) {
        const alt = plain(attribute(node, 'alt') || attribute(node, 'title'));
        if (alt !== '' && rect.width >= 12) line += ` (picture: ${alt}) `;
        return;
      }
    }
    for (const child of childrenOf(node)) walk(child, inner);
    if (!isInline && !isCell) flush(modal, at.depth);
  };

  /** @param {Element} node @param {ViewItem['kind']} kind @param {DOMRect} rect @param {boolean} modal @param {number} depth */
  const base = (node, kind, rect, modal, depth) => ({
    kind,
    near: distanceOf(rect),
    depth,
    modal,
    ref: refOf(node),
  });

  /** @param {Element} node @param {string} role @param {{ rect: DOMRect, modal: boolean, depth: number }} at @param {boolean} isBox */
  const actionItem = (node, role, { rect, modal, depth }, isBox) => {
    const name = isBox
      ? plain(attribute(node, 'aria-label')) || plain(ownText(node)) || hintOf(node)
      : nameOf(node);
    const isSelect = node instanceof HTMLSelectElement;
    const options = isSelect
      ? [...node.options].slice(0, 60).map((one) => plain(one.label, 60))
      : [];
    remember(node, role, name);
    return /** @type {ViewItem} */ ({
      ...base(node, 'action', rect, modal, depth),
      ...{ role, name, states: statesOf(node), value: shownValue(node, whole), options },
      ...{ extra: kindOf(node), ...placedReach(node) },
    });
  };

  /** @param {Element} node @param {string} tag @param {{ rect: DOMRect, modal: boolean, depth: number, pointer: boolean }} at */
  const addDrawing = (node, tag, at) => {
    const shapes =
      tag === 'svg'
        ? [...queryAllIn(node, '*')].filter(
            (one) => SHAPES.has(tagOf(one)) || tagOf(one) === 'text',
          )
        : [];
    const isIcon = at.rect.width <= 48 && at.rect.height <= 48;
    if (at.pointer && isIcon) return;
    if (tag === 'svg' && !isIcon && shapes.length > 0 && shapes.length <= MOST_SHAPES) {
      for (const shape of shapes) {
        const rect = rectOf(shape);
        if (rect.width === 0 && rect.height === 0) continue;
        const text = tagOf(shape) === 'text' ? `${plain(textContentOf(shape))}, ` : '';
        const name = `${text}${shapeName(shape, rect)}`;
        remember(shape, tagOf(shape), name);
        items.push({
          ...base(shape, 'action', rect, at.modal, at.depth),
          ...{ role: tagOf(shape), name, states: [], value: null, ...placedReach(shape) },
        });
      }
      return;
    }
    const name = nameOf(node);
    if (isIcon && name === '') return;
    remember(node, tag === 'canvas' ? 'canvas' : 'drawing', name);
    items.push({
      ...base(node, 'opaque', at.rect, at.modal, at.depth),
      role: tag === 'canvas' ? 'canvas' : 'drawing',
      name,
    });
  };

  walk(root, { depth: 0, pointer: false, modal: false, hidden: false, mute: false, rect: null });
  flush(false, 0);
  return {
    ...{ items, isCut, lastRef },
    forms: [...forms.keys()].map(describeForm),
    url: location.href,
    title: plain(page.title(), 200),
    document: documentId,
    scroll: whole
      ? null
      : { y: scrollY, height: page.scroller()?.scrollHeight ?? 0, screen: innerHeight },
  };
}

/** @param {Node} node @param {DOMRect} rect */
function nearOfText(node, rect) {
  if (rect.height <= innerHeight) return distanceOf(rect);
  const range = page.range(document);
  range.selectNodeContents(node);
  return distanceOf(range.getBoundingClientRect());
}

/** @param {Element} node @param {string} tag */
function isModal(node, tag) {
  if (tag === 'dialog') return hasAttribute(node, 'open') && matches(node, ':modal');
  return attribute(node, 'aria-modal') === 'true' || attribute(node, 'role') === 'alertdialog';
}

/** @param {Element} node @param {string} tag */
function headingLevel(node, tag) {
  if (/^h[1-6]$/.test(tag)) return Number(tag[1]);
  return attribute(node, 'role') === 'heading'
    ? Number(attribute(node, 'aria-level') ?? 2) || 2
    : 0;
}

/** Controls of its own inside, so that it is opened instead of named as a whole. @param {Element} node */
function hasActions(node) {
  const inner = listeners === 0 ? [] : [...queryAllIn(node, '*')].slice(0, 300);
  if (inner.some((/** @type {Element} */ one) => listening.has(one))) return true;
  return (
    queryIn(
      node,
      'a[href], button, input:not([type=hidden]), select, textarea, [role=button], [role=option], [role=treeitem], [role^=menuitem], [role=tab], [role=link], [role=checkbox], [role=radio], [role=switch], [role=combobox], [role=textbox], [contenteditable], summary, [onclick], [tabindex="0"]',
    ) !== null
  );
}

/** The text of an element without that of its children. @param {Element} node */
function ownText(node) {
  return [...childNodesOf(node)]
    .map((child) => (nodeTypeOf(child) === Node.TEXT_NODE ? nodeValueOf(child) : ''))
    .join(' ');
}

/** An input that is shown by something else, but takes clicks. @param {Element} node */
function hasArea(node) {
  const { width, height } = rectOf(node);
  return width > 0 && height > 0;
}

/** @param {Element} shape @param {DOMRect} rect */
function shapeName(shape, rect) {
  const style = getComputedStyle(shape);
  const fill = style.fill === 'none' ? style.stroke : style.fill;
  const named = attribute(shape, 'fill') ?? attribute(shape, 'stroke');
  const size = `${Math.round(rect.width)}x${Math.round(rect.height)}`;
  return plain(`${named ?? fill} ${size} at ${Math.round(rect.x)},${Math.round(rect.y)}`);
}

/**
 * What a click on an element does besides what its own name says: it may be inside of a link or a button, or name one.
 * @param {Element} element @returns {{ href: string | null, isSubmit: boolean, sender: Element | null }}
 */
function reachOf(element) {
  const control = controlOf(element);
  if (control === null) return { href: null, isSubmit: false, sender: null };
  const isSubmit = submits(control);
  const form = /** @type {HTMLInputElement} */ (control).form;
  if (!(form instanceof HTMLFormElement)) return { href: hrefOf(control), isSubmit, sender: null };
  // A button may send its form elsewhere, or in another way.
  const isOwn =
    isSubmit && (hasAttribute(control, 'formaction') || hasAttribute(control, 'formmethod'));
  return { href: null, isSubmit, sender: isOwn ? control : form };
}

/** The link, button or field that a click on an element uses. @param {Element} element @returns {Element | null} */
function controlOf(element) {
  /** @type {Element | null} */
  let at = element;
  while (at !== null) {
    if (matches(at, 'a, area, button, input, select, textarea')) return at;
    const labelled = at instanceof HTMLLabelElement ? labelledOf(at) : null;
    if (labelled !== null) return labelled;
    at = aroundOf(at);
  }
  return null;
}

/** What an element stands in as it is shown; null for the outermost. @param {Element} element @returns {Element | null} */
function aroundOf(element) {
  const root = rootOf(element);
  return slotOf(element) ?? parentOf(element) ?? (root instanceof ShadowRoot ? root.host : null);
}

/** Where a link leads, in a drawing too. @param {Element} control */
function hrefOf(control) {
  if (!matches(control, 'a, area')) return null;
  const written = attribute(control, 'href') ?? attribute(control, 'xlink:href');
  if (written === null) return null;
  try {
    return new URL(written, baseOf(document)).href.slice(0, 8_000);
  } catch {
    // The browser follows it nowhere.
    return null;
  }
}

/** @param {Element} element */
function submits(element) {
  if (element instanceof HTMLButtonElement)
    return element.type === 'submit' && element.form !== null;
  if (!(element instanceof HTMLInputElement)) return false;
  return /^(submit|image)$/.test(element.type) && element.form !== null;
}

/** @param {Element} sender The form, or the button that sends it in its own way. */
function describeForm(sender) {
  const form =
    sender instanceof HTMLFormElement ? sender : /** @type {HTMLInputElement} */ (sender).form;
  // A field that is called `action` or `method` hides the form's own.
  const own = (/** @type {string} */ name) =>
    (sender === form ? null : attribute(sender, `form${name}`)) ?? attribute(form, name) ?? '';
  const fields = [...queryAllIn(form, 'input, select, textarea')]
    .filter((field) => !/^(hidden|submit|button|reset|image)$/.test(field.type))
    .slice(0, 30)
    .map((field) => {
      const isBox = /^(checkbox|radio)$/.test(field.type);
      return {
        name: nameOf(field),
        value: isBox ? (field.checked ? 'checked' : '') : (shownValue(field) ?? ''),
      };
    })
    .filter(({ value }) => value !== '');
  const method = own('method').toLowerCase();
  let action = location.href;
  try {
    action = new URL(own('action') || location.href, baseOf(document)).href.slice(0, 2_000);
  } catch {
    // An address that nobody can read is shown as it stands.
    action = own('action').slice(0, 2_000);
  }
  const isSearch =
    own('role') === 'search' ||
    queryIn(form, 'input[type=search], [role=searchbox]') !== null ||
    closest(form, '[role=search], search') !== null;
  return {
    method: method === 'post' || method === 'dialog' ? method : 'get',
    action,
    isSearch,
    fields,
  };
}
