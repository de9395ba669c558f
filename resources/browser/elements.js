// What an element is: role, name, states, and whether its value is nobody's business. Runs in an isolated world of
// the page: the page's own scripts see nothing of it and can change nothing in it. `page-script.ts` joins the files
// of this folder into one script.

/** @typedef {{ ref: string, role: string, name: string, states: string[], value: string | null, options: string[] }} Described */

const NAME_CHARS = 100;
const VALUE_CHARS = 200;
/** Of a field that is looked at by itself. */
const WHOLE_VALUE_CHARS = 5_000;
const MASK = '••••';

/** Elements by their refs, and back; a ref stays valid while its element lives. */
const refs = new WeakMap();
/** @type {Map<number, { element: WeakRef<Element>, label: string, role: string, name: string }>} */
const known = new Map();
let lastRef = 0;
/** Fields that the user filled while they had control. */
const ownedByUser = new WeakSet();
/** Fields that were of type password at any time: pages reveal them by changing the type. */
const seenSecret = new WeakSet();

/** Elements that listen for clicks, as Chromium says. */
const listening = new WeakSet();
let listeners = 0;
/** Called by the app, in this world only. @param {Element[]} elements */
/** @type {any} */ (globalThis).hyperagentListens = (/** @type {Element[]} */ elements) => {
  for (const element of elements) {
    if (!(element instanceof Element)) continue;
    listening.add(element);
    listeners += 1;
  }
};

/** @param {Element} element */
function refOf(element) {
  let ref = refs.get(element);
  if (ref === undefined) {
    lastRef += 1;
    ref = lastRef;
    refs.set(element, ref);
  }
  return ref;
}

/** Characters that show nothing, and those that turn the direction of text around. */
const UNSEEN = /[\p{Cc}\p{Cf}]/gu;

/** @param {string | null | undefined} text @param {number} [most] */
function plain(text, most = NAME_CHARS) {
  // A cut first: names of a megabyte are not normalised whole.
  const flat = (text ?? '')
    .slice(0, most * 20)
    .replace(/\s+/g, ' ')
    .replace(UNSEEN, '')
    .trim();
  return flat.length > most ? `${flat.slice(0, most - 1)}…` : flat;
}

/** @param {Element} element */
function tagOf(element) {
  return localNameOf(element).toLowerCase();
}

const TEXT_TYPES = new Set(['text', 'email', 'tel', 'url', 'search', 'number', '']);
const ROLES_OF_TAGS = /** @type {Record<string, string>} */ ({
  ...{ a: 'link', area: 'link', button: 'button', select: 'combobox', textarea: 'textbox' },
  ...{ summary: 'button', option: 'option', img: 'img', dialog: 'dialog', iframe: 'frame' },
  ...{ h1: 'heading', h2: 'heading', h3: 'heading', h4: 'heading', h5: 'heading', h6: 'heading' },
  ...{ video: 'video', audio: 'audio', canvas: 'canvas', progress: 'progressbar' },
});
const ROLES_OF_INPUTS = /** @type {Record<string, string>} */ ({
  ...{ button: 'button', submit: 'button', reset: 'button', image: 'button', file: 'file' },
  ...{ checkbox: 'checkbox', radio: 'radio', range: 'slider', number: 'spinbutton' },
  ...{ search: 'searchbox', color: 'color' },
});
const INTERACTIVE_ROLES = new Set(
  'button link checkbox radio tab menuitem menuitemcheckbox menuitemradio option switch slider spinbutton combobox textbox searchbox treeitem listbox'.split(
    ' ',
  ),
);
const SHAPES = new Set(['circle', 'rect', 'ellipse', 'polygon', 'polyline', 'path', 'line']);

/** @param {Element} element */
function roleOf(element) {
  const given = attribute(element, 'role')?.trim().split(/\s+/)[0]?.toLowerCase() ?? '';
  if (given !== '' && given !== 'presentation' && given !== 'none') return given.slice(0, 30);
  const tag = tagOf(element);
  if (element instanceof HTMLInputElement) return ROLES_OF_INPUTS[element.type] ?? 'textbox';
  if (tag === 'a' || tag === 'area') return attribute(element, 'href') === null ? '' : 'link';
  if (isEditable(element)) return 'textbox';
  return ROLES_OF_TAGS[tag] ?? '';
}

/** @param {Element} element */
function isEditable(element) {
  if (!(element instanceof HTMLElement) || editableOf(element) !== true) return false;
  const parent = parentOf(element);
  return !(parent instanceof HTMLElement) || editableOf(parent) !== true;
}

/** @param {Element} element */
function isField(element) {
  return (
    element instanceof HTMLInputElement ||
    element instanceof HTMLTextAreaElement ||
    element instanceof HTMLSelectElement ||
    isEditable(element)
  );
}

/**
 * The role in which an element can be acted on; '' where it cannot. Listeners are not visible from here, so a cursor
 * that shows a hand counts.
 * @param {Element} element @param {CSSStyleDeclaration} style @param {boolean} insidePointer
 */
function actionRole(element, style, insidePointer) {
  const tag = tagOf(element);
  if (element instanceof HTMLInputElement && element.type === 'hidden') return '';
  const role = roleOf(element);
  if (INTERACTIVE_ROLES.has(role) || role === 'file' || role === 'color') {
    return tag === 'option' && closest(element, 'select') !== null ? '' : role;
  }
  if (tag === 'label') {
    const control = hiddenControl(element);
    return control === null ? '' : roleOf(control);
  }
  if ((tag === 'video' || tag === 'audio') && hasAttribute(element, 'controls')) return tag;
  const cursor = style.cursor;
  if (
    attribute(element, 'draggable') === 'true' ||
    /(^|\s)ui-(draggable|sortable-handle)/.test(classOf(element))
  ) {
    return 'draggable';
  }
  if (/^(move|grab|grabbing|all-scroll)$/.test(cursor) && !insidePointer) return 'draggable';
  const isResizer = /(^|\s)ui-(slider|resizable)-handle/.test(classOf(element));
  if (isResizer) return 'handle';
  if (hasAttribute(element, 'onclick') || hasAttribute(element, 'ng-click')) return 'clickable';
  if (listening.has(element) && isSmall(element)) return 'clickable';
  const tabIndex = attribute(element, 'tabindex');
  if (tabIndex !== null && Number(tabIndex) >= 0 && tag !== 'body') return 'clickable';
  if (cursor === 'pointer' && !insidePointer && tag !== 'body' && tag !== 'html')
    return 'clickable';
  return '';
}

/** Not what a page delegates its clicks to. @param {Element} element */
function isSmall(element) {
  if (/^(html|body|main|form|table|tbody|ul|ol)$/.test(tagOf(element))) return false;
  const { width, height } = rectOf(element);
  return width * height < innerWidth * innerHeight * 0.5;
}

/** @param {Element} element */
function classOf(element) {
  return plain(attribute(element, 'class'), 200);
}

/** The control of a label that is not shown itself, as styled checkboxes are. @param {Element} label */
function hiddenControl(label) {
  const control = label instanceof HTMLLabelElement ? label.control : null;
  if (control === null || !(control instanceof HTMLInputElement)) return null;
  const { width, height } = rectOf(control);
  const isShown = width > 1 && height > 1 && isVisible(control, { visibilityProperty: true });
  return isShown ? null : control;
}

/** The name, as assistive technology would say it; by id or class where there is none. @param {Element} element */
function nameOf(element) {
  const labelled = attribute(element, 'aria-labelledby');
  if (labelled !== null) {
    const root = /** @type {Document | ShadowRoot} */ (rootOf(element));
    const parts = labelled.split(/\s+/).slice(0, 5);
    const text = parts.map((/** @type {string} */ id) => shownText(byId(root, id))).join(' ');
    if (plain(text) !== '') return plain(text);
  }
  const label = plain(attribute(element, 'aria-label'));
  if (label !== '') return label;
  if (isField(element)) {
    const labels = /** @type {HTMLInputElement} */ (element).labels;
    const text = [...(labels ?? [])].map(shownText).join(' ');
    if (plain(text) !== '') return plain(text);
  }
  if (element instanceof HTMLInputElement) {
    if (/^(submit|button|reset)$/.test(element.type)) {
      return plain(element.value) || (element.type === 'submit' ? 'Submit' : element.type);
    }
    if (element.type === 'image') return plain(element.alt) || plain(element.title);
  }
  const placeholder = plain(
    attribute(element, 'placeholder') ?? attribute(element, 'data-placeholder'),
  );
  if (isField(element)) {
    return placeholder || plain(attribute(element, 'title')) || hintOf(element);
  }
  const text = plain(shownText(element));
  if (text !== '') return text;
  const inner = queryIn(element, 'img[alt], svg title, [aria-label], [title]');
  const alt = attribute(element, 'alt') ?? attribute(element, 'title');
  const innerName =
    inner === null
      ? ''
      : (attribute(inner, 'alt') ??
        attribute(inner, 'aria-label') ??
        attribute(inner, 'title') ??
        textContentOf(inner));
  return plain(alt) || plain(innerName) || iconName(element) || hintOf(element);
}

/** @param {Document | ShadowRoot} root @param {string} id */
function byId(root, id) {
  if (root === document) return method(Document.prototype, 'getElementById')(document, id);
  return root instanceof ShadowRoot ? root.getElementById(id) : null;
}

/** What a developer called it: better than nothing. @param {Element} element */
function hintOf(element) {
  const given = attribute(element, 'data-value') ?? attribute(element, 'data-label');
  if (given !== null && given.trim() !== '') return plain(given, 40);
  const id =
    attribute(element, 'name') ?? attribute(element, 'data-testid') ?? attribute(element, 'id');
  if (id !== null && id.trim() !== '') return `#${plain(id, 40)}`;
  const classes = classOf(element)
    .split(' ')
    .filter((name) => name !== '');
  const named = classes.length === 0 ? '' : `.${plain(classes.slice(0, 2).join('.'), 40)}`;
  const { backgroundColor } = getComputedStyle(element);
  const isPlain = /^rgba\(.*, 0\)$|^transparent$|^rgb\(255, 255, 255\)$/.test(backgroundColor);
  return isPlain || isField(element) ? named : `${named} ${backgroundColor}`.trim();
}

/** The text of an element as it is shown; fields inside do not count. @param {Element | null} element @param {number} [most] */
function shownText(element, most = NAME_CHARS * 4) {
  if (element === null) return '';
  let text = '';
  let nodes = 0;
  /** @param {Node} node @param {number} depth */
  const add = (node, depth) => {
    nodes += 1;
    if (text.length > most || nodes > 500 || depth > 40) return;
    if (nodeTypeOf(node) === Node.TEXT_NODE) {
      text += nodeValueOf(node) ?? '';
      return;
    }
    if (!(node instanceof Element)) return;
    const tag = tagOf(node);
    if (/^(script|style|noscript|template|select|textarea|input)$/.test(tag)) return;
    if (node !== element && !isVisible(node, { visibilityProperty: true })) return;
    if (tag === 'img') text += ` ${attribute(node, 'alt') ?? ''} `;
    if (node !== element && isEditable(node)) return;
    const isBlock = node !== element && !/^inline|contents/.test(getComputedStyle(node).display);
    if (isBlock) text += ' ';
    for (const child of childrenOf(node)) add(child, depth + 1);
    if (isBlock || tag === 'br') text += ' ';
  };
  add(element, 0);
  return text;
}

/** Children as they are shown: of an open shadow root, and what is slotted. @param {Node} node */
function childrenOf(node) {
  if (node instanceof HTMLSlotElement) {
    const given = node.assignedNodes({ flatten: true });
    return given.length > 0 ? given : [...childNodesOf(node)];
  }
  const shadow = node instanceof Element ? shadowOf(node) : null;
  return [...childNodesOf(shadow ?? node)];
}

const SECRET_AUTOCOMPLETE =
  /password|one-time-code|cc-(number|csc|exp|given|family|name|additional)/;
const SECRET_WORDS =
  /passw|passcode|pass.?phrase|\bpin\b|\botp\b|one.?time|2fa|mfa|totp|verif\w*.?code|security.?(code|answer)|auth\w*.?code|\bcvv|\bcvc|\bcsc\b|card.?n(o|um)|cc.?num|credit.?card|\bssn\b|social.?security|\biban\b|account.?num|routing.?num|secret|token|api.?key|seed.?phrase|recovery|mnemonic|private.?key|密码|密碼|口令|验证码|驗證碼|校验码|动态码|卡号|卡號|安全码|身份证|支付密码|私钥/i;

/** Whether its value is masked: what the user typed, and what looks secret. @param {Element} element */
function isSecret(element) {
  return isField(element) && (ownedByUser.has(element) || looksSecret(element));
}

/** A field for passwords, codes, cards, or whatever looks like it. @param {Element} element */
function looksSecret(element) {
  if (seenSecret.has(element)) return true;
  if (element instanceof HTMLSelectElement) return false;
  const input = element instanceof HTMLInputElement ? element : null;
  if (
    input !== null &&
    /^(checkbox|radio|submit|button|reset|image|range|color|file)$/.test(input.type)
  )
    return false;
  const isHidden = getComputedStyle(element).getPropertyValue('-webkit-text-security');
  const looks =
    input?.type === 'password' ||
    (isHidden !== '' && isHidden !== 'none') ||
    SECRET_AUTOCOMPLETE.test((attribute(element, 'autocomplete') ?? '').toLowerCase()) ||
    // The boxes of a one-time code.
    (input !== null &&
      input.maxLength === 1 &&
      /^(numeric|tel|decimal)$/.test(attribute(element, 'inputmode') ?? input.type)) ||
    SECRET_WORDS.test(wordsAbout(element));
  if (looks) seenSecret.add(element);
  return looks;
}

/** @param {Element} element */
function wordsAbout(element) {
  const labels = /** @type {HTMLInputElement} */ (element).labels;
  return [
    ...['name', 'id', 'placeholder', 'aria-label', 'title', 'autocomplete', 'data-testid'].map(
      (name) =>
        // camelCase, as names of fields are written.
        (attribute(element, name) ?? '')
          .slice(0, 200)
          .replace(/([a-z])([A-Z])/g, '$1 $2')
          .replace(/[_-]+/g, ' '),
    ),
    ...[...(labels ?? [])].map((label) => plain(textContentOf(label))),
  ].join(' ');
}

/** @param {Element} element */
function rawValue(element) {
  if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement)
    return element.value;
  return isEditable(element) ? (textContentOf(element) ?? '') : '';
}

/** The value as it may be shown; null for what has none. @param {Element} element @param {boolean} [whole] */
function shownValue(element, whole = false) {
  if (element instanceof HTMLSelectElement) {
    return ownedByUser.has(element)
      ? MASK
      : [...element.selectedOptions].map((one) => plain(one.label)).join(', ');
  }
  if (
    element instanceof HTMLInputElement &&
    /^(checkbox|radio|submit|button|reset|image)$/.test(element.type)
  ) {
    return null;
  }
  if (element instanceof HTMLInputElement && element.type === 'file') {
    return [...(element.files ?? [])].map(({ name }) => plain(name)).join(', ');
  }
  if (!isField(element)) {
    return attribute(element, 'aria-valuetext') ?? attribute(element, 'aria-valuenow');
  }
  const value = rawValue(element);
  if (value === '') return '';
  return isSecret(element) ? MASK : plain(value, whole ? WHOLE_VALUE_CHARS : VALUE_CHARS);
}

/** @param {Element} element */
function statesOf(element) {
  const control = tagOf(element) === 'label' ? hiddenControl(element) : null;
  const one = control ?? element;
  const states = [];
  const is = (/** @type {string} */ name) => attribute(one, `aria-${name}`);
  if (one instanceof HTMLInputElement && /^(checkbox|radio)$/.test(one.type)) {
    if (one.checked) states.push('checked');
  } else if (is('checked') === 'true') states.push('checked');
  if (is('selected') === 'true') states.push('selected');
  if (is('pressed') === 'true') states.push('pressed');
  const current = is('current');
  if (current !== null && current !== 'false') states.push('current');
  if (matches(one, ':disabled') || is('disabled') === 'true') states.push('disabled');
  const expanded = is('expanded');
  if (expanded === 'true') states.push('expanded');
  if (expanded === 'false') states.push('collapsed');
  if (one instanceof HTMLElement && tagOf(one) === 'summary') {
    states.push(
      parentOf(one) !== null && hasAttribute(parentOf(one), 'open') ? 'expanded' : 'collapsed',
    );
  }
  if (/** @type {HTMLInputElement} */ (one).readOnly === true) states.push('read-only');
  if (is('invalid') === 'true') states.push('invalid');
  if (one instanceof HTMLTextAreaElement || isEditable(one)) states.push('multiline');
  if (activeElement() === one) states.push('focused');
  return states;
}

function activeElement() {
  let active = page.active();
  for (let inner = active; inner !== null; inner = shadowOf(inner)?.activeElement ?? null)
    active = inner;
  return active;
}

/** The kind of a text field, where it says more than that. @param {Element} element */
function kindOf(element) {
  if (!(element instanceof HTMLInputElement)) return '';
  const { type, min, max } = element;
  if (type === 'range' || type === 'number') {
    return min === '' && max === '' ? '' : ` ${min || '…'} to ${max || '…'}`;
  }
  return TEXT_TYPES.has(type) || ROLES_OF_INPUTS[type] !== undefined ? '' : ` (${type})`;
}
