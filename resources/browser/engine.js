// The commands that the app gives, as selectors of an engine in an isolated world. What they return is an element
// that is in no document, with JSON as its text; for actions, the element itself.

/** No two documents have the same, whatever their addresses. */
const documentId = `${performance.timeOrigin}-${Math.random()}`;
/** When the page last changed, by `performance.now()`. */
let changedAt = performance.now();
new MutationObserver(() => {
  changedAt = performance.now();
}).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });

/** Values of fields when the user took over. @type {WeakMap<Element, string> | null} */
let before = null;

/** @param {Element} element @param {string} role @param {string} name */
function remember(element, role, name) {
  known.set(refOf(element), {
    element: new WeakRef(element),
    label: `${role} "${name}"`,
    role,
    name,
  });
}

/** The element of a ref; null once it is gone. @param {number} ref */
function elementOf(ref) {
  const element = known.get(ref)?.element.deref() ?? null;
  return element !== null && isConnectedOf(element) && ownerDocumentOf(element) === document
    ? element
    : null;
}

/** @param {unknown} value */
function answer(value) {
  const carrier = page.create(document, 'template');
  carrier.textContent = JSON.stringify(value);
  return [carrier];
}

/** Every element, also in open shadow roots. @param {string} selector @returns {Element[]} */
function deepAll(selector) {
  /** @type {Element[]} */
  const found = [];
  let visited = 0;
  /** @param {Document | ShadowRoot} root @param {number} depth */
  const search = (root, depth) => {
    for (const element of root === document
      ? page.queryAll(document, '*')
      : root.querySelectorAll('*')) {
      visited += 1;
      if (visited > MOST_ELEMENTS) return;
      if (matches(element, selector)) found.push(element);
      const shadow = shadowOf(element);
      if (shadow !== null && depth < MOST_DEPTH) search(shadow, depth + 1);
    }
  };
  search(document, 0);
  return found;
}

const FIELDS = 'input, textarea, select, [contenteditable]';

/** What a ref leads to now. @param {number} ref */
function factsOf(ref) {
  const element = elementOf(ref);
  const entry = known.get(ref);
  if (element === null) {
    return {
      isAlive: false,
      was: entry?.label ?? null,
      nearest: entry === undefined ? null : nearestTo(entry.label),
    };
  }
  const view = viewOf(element, { whole: true });
  const own = view.items.find((item) => item.ref === ref);
  if (own === undefined) {
    const { sender } = reachOf(element);
    const form = sender === null ? null : describeForm(sender);
    return { isAlive: true, item: plainFacts(element, ref), form };
  }
  const form = own.form === undefined ? null : (view.forms[own.form] ?? null);
  return { isAlive: true, item: own, form };
}

/** A shape has its place in a drawing only, and text is no control. @param {Element} element @param {number} ref @returns {ViewItem | null} */
function plainFacts(element, ref) {
  const entry = known.get(ref);
  const isText = entry?.role === 'text' && isVisible(element, { visibilityProperty: true });
  if (entry === undefined || !(isText || element instanceof SVGElement)) return null;
  const { role } = entry;
  const name = isText ? textName(element) : entry.name;
  const { href, isSubmit } = reachOf(element);
  return {
    kind: 'action',
    near: 0,
    depth: 0,
    modal: false,
    ref,
    role,
    name,
    ...{ states: [], value: null, href, isSubmit },
  };
}

/** A living element that is called as the dead one was. @param {string} label */
function nearestTo(label) {
  for (const [ref, entry] of known)
    if (entry.label === label && elementOf(ref) !== null) return { ref, label };
  const { items } = viewOf(page.root(), { whole: true });
  const found = items.find(
    (item) => item.kind === 'action' && `${item.role} "${item.name}"` === label,
  );
  return found === undefined ? null : { ref: found.ref, label };
}

/** The topmost element at a point of the viewport, also in open shadow roots. @param {number} x @param {number} y */
function elementAt(x, y) {
  let element = page.fromPoint(document, x, y);
  for (let depth = 0; element !== null && depth < MOST_DEPTH; depth += 1) {
    const inner = shadowOf(element)?.elementFromPoint(x, y) ?? null;
    if (inner === null || inner === element) break;
    element = inner;
  }
  return element;
}

/** What lies over the middle of an element; null for nothing. @param {Element} element */
function coverOf(element) {
  const { x, y, width, height } = rectOf(element);
  const top = elementAt(x + width / 2, y + height / 2);
  if (top === null || top === element || contains(element, top) || contains(top, element))
    return null;
  return describe(top);
}

/** Where an element is in sight, with nothing over it. @param {number} ref */
function placeOf(ref) {
  const element = elementOf(ref);
  if (element === null || coverOf(element) !== null) return null;
  const rect = rectOf(element);
  const [x, y] = [Math.max(0, rect.x), Math.max(0, rect.y)];
  const [width, height] = [
    Math.min(innerWidth, rect.right) - x,
    Math.min(innerHeight, rect.bottom) - y,
  ];
  if (width < 1 || height < 1) return null;
  return { x, y, width, height, isOpaque: /^(canvas|drawing)$/.test(known.get(ref)?.role ?? '') };
}

/** FNV-1a, as the app computes it. @param {string} text */
function hashOf(text) {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1)
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return hash;
}

/** @param {Element} element */
function describe(element) {
  const name = nameOf(element);
  const role = roleOf(element) || tagOf(element);
  return name === '' ? role : `${role} "${name}"`;
}

/** @param {Element} element */
function isScrollable(element) {
  if (element.scrollHeight <= element.clientHeight + 1 || element.clientHeight === 0) return false;
  return (
    element === page.scroller() || /auto|scroll|overlay/.test(getComputedStyle(element).overflowY)
  );
}

/** @param {Element | null} from @returns {Element} */
function scrollableFrom(from) {
  for (let one = from; one !== null; one = parentOf(one)) if (isScrollable(one)) return one;
  const scroller = page.scroller() ?? page.root();
  if (from !== null || isScrollable(scroller)) return scroller;
  let largest = scroller;
  let area = 0;
  for (const element of [...page.queryAll(document, '*')].slice(0, MOST_ELEMENTS)) {
    const size = element.clientWidth * element.clientHeight;
    if (size > area && isScrollable(element)) [largest, area] = [element, size];
  }
  return largest;
}

/** What a picture must not show. @param {number[]} hashes */
function maskedElements(hashes) {
  const values = new Set(hashes);
  /** @param {string} text */
  const isHidden = (text) =>
    values.has(hashOf(text)) || values.has(hashOf(text.replace(/\s+/g, ' ').trim()));
  return deepAll('*').filter((element) => {
    if (isField(element))
      return rawValue(element) !== '' && (isSecret(element) || isHidden(rawValue(element)));
    return ownedByUser.has(element) || (values.size > 0 && isHidden(ownText(element)));
  });
}

/** What is selected, as it would be copied: nothing of passwords. @param {Element | null} active */
function selectedIn(active) {
  const isText = active instanceof HTMLInputElement || active instanceof HTMLTextAreaElement;
  if (!isText) return String(getSelection() ?? '');
  const style = getComputedStyle(active).getPropertyValue('-webkit-text-security');
  if (active.type === 'password' || !/^(none)?$/.test(style)) return '';
  const { selectionStart: start, selectionEnd: end } = active;
  // Some kinds of fields do not say where their selection is.
  if (start === null || end === null) return String(getSelection() ?? '');
  return active.value.slice(start, end);
}

/** @param {Element | null} active */
function canChange(active) {
  if (active instanceof HTMLInputElement || active instanceof HTMLTextAreaElement)
    return !active.readOnly && !active.disabled;
  return active instanceof HTMLElement && editableOf(active) === true;
}

/** @type {Record<string, (command: any) => Element[]>} */
const commands = {
  element: ({ ref }) => {
    const element = elementOf(ref);
    return element === null ? [] : [element];
  },
  frames: () => deepAll('iframe, frame'),
  masked: ({ hashes }) => maskedElements(hashes),
  masks: ({ hashes }) => answer({ count: maskedElements(hashes).length, origin: self.origin }),
  view: ({ ref, start }) => {
    lastRef = Math.max(lastRef, start ?? 0);
    const root = ref === undefined ? page.root() : elementOf(ref);
    return answer(root === null ? null : viewOf(root, { whole: ref !== undefined }));
  },
  facts: ({ ref }) => answer(factsOf(ref)),
  cover: ({ ref }) => {
    const element = elementOf(ref);
    return answer(element === null ? null : coverOf(element));
  },
  places: ({ refs: wanted }) => answer(wanted.map(placeOf)),
  at: ({ x, y, start }) => {
    lastRef = Math.max(lastRef, start ?? 0);
    const element = elementAt(x, y);
    const near = 'a[href], button, input, select, textarea, label, [role], [onclick]';
    const target = element === null ? null : (closest(element, near) ?? element);
    if (target === null) return answer(null);
    remember(target, roleOf(target) || tagOf(target), nameOf(target));
    return answer({
      ...factsOf(refOf(target)),
      ref: refOf(target),
      lastRef,
      label: describe(target),
    });
  },
  /** The innermost shown elements with this text, to be acted on like controls. */
  textRefs: ({ text, start }) => {
    lastRef = Math.max(lastRef, start ?? 0);
    const found = elementsWith(text).map((element) => {
      remember(element, 'text', textName(element));
      const ref = refOf(element);
      return {
        ...factsOf(ref),
        ref,
        text: plain(shownText(element, FOUND_IN_CONTROL_CHARS), FOUND_IN_CONTROL_CHARS),
      };
    });
    return answer({ found, lastRef });
  },
  quiet: () =>
    answer({
      ms: performance.now() - changedAt,
      state: page.state(),
      title: plain(page.title(), 200),
      height: page.scroller()?.scrollHeight ?? 0,
    }),
  html: () => answer(htmlOfPage()),
  hasText: ({ text }) =>
    answer({ found: (page.body()?.innerText ?? '').toLowerCase().includes(text.toLowerCase()) }),
  /** Scrolls what can be scrolled: the element or what is around it, else the page, else its largest part. */
  scroll: ({ ref, screens }) => {
    const from = ref === undefined ? null : elementOf(ref);
    if (ref !== undefined && from === null) return answer(null);
    const target = scrollableFrom(from);
    const start = target.scrollTop;
    target.scrollBy({ top: screens * target.clientHeight * 0.85, behavior: 'instant' });
    return answer({
      moved: Math.round(target.scrollTop - start),
      left: Math.round(target.scrollHeight - target.clientHeight - target.scrollTop),
    });
  },
  takeOver: () => {
    before = new WeakMap();
    for (const field of deepAll(FIELDS)) before.set(field, rawValue(field));
    return answer({});
  },
  /** The fields that changed since the user took over; of a document that came later, all that are filled. */
  userValues: ({ ends }) => {
    const changed = deepAll(FIELDS).filter(
      (field) => rawValue(field) !== '' && before?.get(field) !== rawValue(field),
    );
    for (const field of changed) ownedByUser.add(field);
    // Who types in a closed shadow root has the focus on its host: what is in it cannot be seen, so all of it is covered.
    const active = activeElement();
    if (
      active !== null &&
      !isField(active) &&
      !/^(html|body|iframe|frame|a|button)$/.test(tagOf(active))
    )
      ownedByUser.add(active);
    if (ends) before = null;
    const values = changed.slice(0, 200).map((field) => ({
      value: rawValue(field).slice(0, 10_000),
      isSecret: looksSecret(field),
    }));
    return answer(values);
  },
  /** The user lets the agent see what they typed: fields that look secret stay masked. */
  showTyped: () => {
    for (const field of deepAll(FIELDS)) if (!looksSecret(field)) ownedByUser.delete(field);
    return answer({});
  },
  selection: ({ most }) => {
    const active = activeElement();
    const frame = active === null ? -1 : commands.frames?.({}).indexOf(active);
    if (frame !== -1) return answer({ text: '', canCut: false, frame });
    const text = selectedIn(active);
    return answer({
      text: text.length > most ? null : text,
      canCut: canChange(active),
      frame: null,
    });
  },
};

const engine = {
  /** @param {unknown} _root @param {string} selector */
  queryAll(_root, selector) {
    const command = JSON.parse(decodeURIComponent(selector));
    return commands[command.do]?.(command) ?? [];
  },
};
