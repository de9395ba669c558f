// What the check of an app asks a page. An expression, evaluated in the page; its value is an object of functions.
(() => {
  const MOST = 5;
  const SHORT = 80;
  /** Elements whose colors are compared. */
  const LOOKED_AT = 1_000;

  /** @param {Element} element */
  const isShown = (element) =>
    element.checkVisibility({
      opacityProperty: true,
      visibilityProperty: true,
      contentVisibilityAuto: true,
    });

  /** @param {Element} element */
  const hasArea = (element) => {
    const { width, height } = element.getBoundingClientRect();
    return width > 1 && height > 1;
  };

  /** @param {Element} element */
  const nameOf = (element) => {
    const id = element.id === '' ? '' : `#${element.id}`;
    const classes = [...element.classList]
      .slice(0, 2)
      .map((name) => `.${name}`)
      .join('');
    return `<${element.localName}${id}${classes}>`.slice(0, SHORT);
  };

  /** Whether a box without any room, or a place outside of the page, takes it away. @param {Element} element */
  const isTakenAway = (element) => {
    const { right, bottom } = element.getBoundingClientRect();
    if (right + scrollX <= 0 || bottom + scrollY <= 0) return true;
    for (
      let at = element.parentElement;
      at !== null && at !== document.body;
      at = at.parentElement
    ) {
      if (getComputedStyle(at).overflow !== 'visible' && !hasArea(at)) return true;
    }
    return false;
  };

  /** @param {Element} element */
  const isSeen = (element) => isShown(element) && hasArea(element) && !isTakenAway(element);

  /** @type {(rules: CSSRuleList) => CSSStyleRule[]} */
  const styleRules = (rules) =>
    [...rules].flatMap((rule) => {
      if (rule instanceof CSSStyleRule) return [rule];
      const { cssRules } = /** @type {{ cssRules?: CSSRuleList }} */ (
        /** @type {unknown} */ (rule)
      );
      return cssRules === undefined ? [] : styleRules(cssRules);
    });

  /**
   * What in the sources may give an element such a style: rules with their file, the last ones first, then what it has
   * of its own.
   * @param {Element} element
   * @param {(name: string, value: string) => boolean} isCause
   */
  const styleClues = (element, isCause) => {
    const clues = [];
    for (const sheet of document.styleSheets) {
      const owner = sheet.ownerNode instanceof Element ? sheet.ownerNode : null;
      const file = owner?.getAttribute('data-vite-dev-id') ?? sheet.href ?? '';
      /** @type {CSSStyleRule[]} */
      let rules = [];
      try {
        rules = styleRules(sheet.cssRules);
      } catch {
        // Of another origin.
      }
      for (const { selectorText, style } of rules) {
        const gives = [...style].some((name) => isCause(name, style.getPropertyValue(name)));
        if (gives && element.matches(selectorText)) clues.unshift({ text: selectorText, file });
      }
    }
    const own = /** @type {HTMLElement} */ (element).style;
    for (const name of own ?? []) {
      const value = own.getPropertyValue(name);
      if (!isCause(name, value)) continue;
      // Frameworks write numbers without their unit.
      clues.unshift({ text: value, file: '' }, { text: value.replace(/px$/, ''), file: '' });
    }
    return clues;
  };

  /** What names an element in the sources. @param {Element} element */
  const nameClues = (element) =>
    [element.id, ...element.classList]
      .filter((name) => name !== '')
      .map((text) => ({ text, file: '' }));

  const shownText = () => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    let text = '';
    while (walker.nextNode() && text.length < 2_000) {
      const { nodeValue, parentElement } = walker.currentNode;
      if (
        parentElement === null ||
        /^(?:script|style|noscript|template|title)$/.test(parentElement.localName)
      )
        continue;
      const words = (nodeValue ?? '').trim();
      if (words !== '' && isSeen(parentElement)) text += `${words} `;
    }
    return text.trim();
  };

  const SEEN_WITHOUT_TEXT =
    'img,canvas,svg,video,iframe,input,textarea,select,button,progress,meter';
  const showsSomething = () => [...document.querySelectorAll(SEEN_WITHOUT_TEXT)].some(isSeen);

  /** A style that takes an element away. @param {string} name @param {string} value */
  const hides = (name, value) => {
    if (/^(?:max-)?(?:height|width|block-size|inline-size)$|^(?:opacity|font-size)$/.test(name)) {
      return /^0(?:\.0+)?(?:px|em|rem|vh|vw|%)?$/.test(value);
    }
    if (/^(?:left|right|top|margin-left|margin-top|text-indent)$/.test(name)) {
      return /^-\d{3,}/.test(value);
    }
    if (name === 'transform') return /scale\(0|translate\w*\(-\d{3,}/.test(value);
    return (
      (name === 'display' && value === 'none') ||
      (name === 'visibility' && value !== 'visible') ||
      (name === 'clip-path' && value !== 'none')
    );
  };

  /** Why nothing is to be seen of what is there: the style of the first element that it hides. */
  const hiddenClues = () => {
    for (const element of [...document.querySelectorAll('*')].slice(0, LOOKED_AT)) {
      if (/^(?:head|script|style|noscript|template)$/.test(element.localName)) continue;
      if ((element.textContent ?? '').trim() === '' || element.closest('head') !== null) continue;
      const clues = styleClues(element, hides);
      if (clues.length > 0) return [...clues, ...nameClues(element)];
    }
    return [];
  };

  /** The parts of a color of CSS, as it is computed; null for one that is not of three numbers. @param {string} color */
  const partsOf = (color) => {
    const [red = 0, green = 0, blue, alpha = 1] = (color.match(/[\d.]+/g) ?? []).map(Number);
    return blue === undefined ? null : { red, green, blue, alpha };
  };

  /** How far the color of a text is from its ground, of 765. @param {Element} element */
  const contrastOf = (element) => {
    const text = partsOf(getComputedStyle(element).color);
    if (text === null) return 765;
    if (text.alpha < 0.1) return 0;
    for (let at = /** @type {Element | null} */ (element); at !== null; at = at.parentElement) {
      const { backgroundColor, backgroundImage } = getComputedStyle(at);
      if (backgroundImage !== 'none') return 765;
      const ground = partsOf(backgroundColor);
      if (ground === null || ground.alpha < 0.5) continue;
      return (
        Math.abs(text.red - ground.red) +
        Math.abs(text.green - ground.green) +
        Math.abs(text.blue - ground.blue)
      );
    }
    // The ground of the page itself.
    return text.red + text.green + text.blue > 750 &&
      !matchMedia('(prefers-color-scheme: dark)').matches
      ? 0
      : 765;
  };

  /** Texts of the color of their ground, where these are nearly all. */
  const invisibleText = () => {
    const texts = [...document.body.querySelectorAll('*')]
      .slice(0, LOOKED_AT)
      .filter(
        (element) =>
          [...element.childNodes].some(
            (node) => node.nodeType === Node.TEXT_NODE && (node.nodeValue ?? '').trim() !== '',
          ) && isSeen(element),
      );
    const lost = texts.filter((element) => contrastOf(element) < 24);
    const [first] = lost;
    if (first === undefined || lost.length * 5 < texts.length * 4) return null;
    return { name: nameOf(first), clues: colorClues(first).slice(0, 12) };
  };

  /** What may give an element its colors, or its ground. @param {Element} element */
  const colorClues = (element) => {
    const clues = [];
    for (let at = /** @type {Element | null} */ (element); at !== null; at = at.parentElement) {
      clues.push(...styleClues(at, (name) => /^(?:color|background(?:-color)?)$/.test(name)));
    }
    return clues;
  };

  const WIDE =
    /^(?:(?:min-)?(?:width|inline-size)|grid-template(?:-columns)?|flex(?:-basis|-wrap)?|white-space(?:-collapse)?|text-wrap-mode|left|margin(?:-left|-right)?|transform|column-count|columns)$/;
  /** A style that can make something wider than its place. @param {string} name @param {string} value */
  const widens = (name, value) =>
    WIDE.test(name) &&
    (/\d{3,}px|\d{2,}(?:\.\d+)?(?:rem|em|ch|vw)|1[0-9]{2}%|[2-9]\d{2}%|repeat\(|minmax\(/.test(
      value,
    ) ||
      /^(?:nowrap|pre)$/.test(value) ||
      /^0 0 |^none$/.test(name === 'flex' ? value : ''));

  /** The outermost elements that stick out to the right, and that nothing clips or scrolls. */
  const tooWide = () => {
    const width = document.documentElement.clientWidth;
    const root = document.scrollingElement ?? document.documentElement;
    if (root.scrollWidth <= width + 1) return [];
    /** @param {Element} element */
    const isClipped = (element) => {
      for (
        let at = element.parentElement;
        at !== null && at !== document.body;
        at = at.parentElement
      ) {
        if (getComputedStyle(at).overflowX !== 'visible') return true;
      }
      return false;
    };
    const wide = [...document.body.querySelectorAll('*')].filter((element) => {
      const { right, width: own } = element.getBoundingClientRect();
      return own > 0 && right > width + 1 && !isClipped(element);
    });
    const outer = wide.filter(
      (element) => !wide.some((other) => other !== element && other.contains(element)),
    );
    // The cause lies deepest where the outer ones only follow what they contain.
    const deepest = wide.filter(
      (element) => !wide.some((other) => other !== element && element.contains(other)),
    );
    const named = (deepest.length > 0 ? deepest : outer).slice(0, MOST);
    /** From the outside in: what is inside may only follow. @param {Element} element */
    const cluesOf = (element) => {
      const chain = wide.filter((other) => other.contains(element));
      return [...chain.flatMap((one) => styleClues(one, widens)), ...chain.flatMap(nameClues)];
    };
    return named.map((element) => ({
      name: nameOf(element),
      by: Math.round(element.getBoundingClientRect().right - width),
      clues: cluesOf(element).slice(0, 12),
    }));
  };

  const missingImages = () =>
    [...document.images]
      .filter(
        (image) =>
          image.complete && image.naturalWidth === 0 && (image.currentSrc || image.src) !== '',
      )
      .slice(0, MOST)
      .map((image) => (image.getAttribute('src') ?? '').slice(0, 200));

  /** What Vite shows over a page whose files it cannot read. */
  const overlay = () => {
    const shown = document.querySelector('vite-error-overlay')?.shadowRoot ?? null;
    if (shown === null) return null;
    /** @param {string} part */
    const textOf = (part) => (shown.querySelector(part)?.textContent ?? '').trim().slice(0, 1_000);
    return { message: textOf('.message-body'), file: textOf('.file'), frame: textOf('.frame') };
  };

  /** What the page shows, at the width that it has now. */
  const facts = () => ({
    text: shownText(),
    showsSomething: showsSomething(),
    tooWide: tooWide(),
    missingImages: missingImages(),
    overlay: overlay(),
    hiddenClues: shownText() === '' && !showsSomething() ? hiddenClues().slice(0, 12) : [],
    invisible: invisibleText(),
  });

  /** Below this ratio a text can hardly be read; AA wants 4.5, which many apps that people like do not have. */
  const LEAST_CONTRAST = 3;

  /** What axe finds, once loaded: one fault for each rule of WCAG 2.2, A and AA. Nothing of pages that take it long. */
  const accessibility = async () => {
    if (document.querySelectorAll('*').length > 2 * LOOKED_AT) return [];
    const runOnly = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
    // Browsers give what scrolls the focus by themselves.
    const rules = { 'scrollable-region-focusable': { enabled: false } };
    const { axe } = /** @type {any} */ (window);
    const options = { runOnly, rules, elementRef: true, iframes: false };
    const { violations } = await axe.run(document, options);
    return violations.flatMap((/** @type {any} */ { id, help, nodes }) => {
      const ratioOf = (/** @type {any} */ node) =>
        id === 'color-contrast' ? node.any[0].data.contrastRatio : null;
      const bad = nodes.filter((/** @type {any} */ node) => (ratioOf(node) ?? 0) < LEAST_CONTRAST);
      if (bad.length === 0) return [];
      const [{ element, html }] = bad;
      const ratio = ratioOf(bad[0]);
      /** @type {Attr[]} */
      const own = [...element.attributes].filter(({ name }) => !/^(?:data-v-|style$)/.test(name));
      const marks = own.flatMap(({ name, value }) =>
        (name === 'class' ? ['className', name] : [name]).map((as) => `${as}="${value}"`),
      );
      const telling = own.filter(({ name }) => name !== 'type' && name !== 'class');
      const plain = telling.map(({ name, value }) => (name.startsWith('aria-') ? name : value));
      const texts = [...marks, element.textContent.trim(), ...plain, `<${element.localName}`];
      const clues = ratio === null ? [] : colorClues(element);
      clues.push(...texts.map((text) => ({ text: text.slice(0, 200), file: '' })));
      return [{ help, ratio, html: html.slice(0, 160), more: bad.length - 1, clues }];
    });
  };

  const CONTROLS =
    'button, [role="button"], input[type="submit"], input[type="button"], summary, [role="tab"]';

  /** The controls that are there to be pressed, each with its place among all of them. */
  const controls = () => ({ selector: CONTROLS, shown: shownControls() });

  const shownControls = () =>
    [...document.querySelectorAll(CONTROLS)].flatMap((element, index) => {
      const isOff = element.matches(':disabled, [aria-disabled="true"], [type="reset"]');
      if (isOff || !isShown(element) || !hasArea(element)) return [];
      const form = /** @type {HTMLButtonElement} */ (element).form ?? null;
      const isSubmit = form !== null && element.matches('[type="submit"], button:not([type])');
      const label =
        element.getAttribute('aria-label') ??
        element.textContent ??
        element.getAttribute('value') ??
        '';
      return [
        {
          index,
          name: label.trim().replace(/\s+/g, ' ').slice(0, SHORT),
          clues: [{ text: label.trim().slice(0, SHORT), file: '' }, ...nameClues(element)].filter(
            ({ text }) => text.length > 1,
          ),
          // A form that has an address is sent there.
          sendsForm:
            isSubmit && !form.hasAttribute('action') && form.querySelector(FIELDS) !== null,
        },
      ];
    });

  const FIELDS =
    'input:not([type]), input[type="text"], input[type="search"], input[type="email"], input[type="url"], input[type="tel"], input[type="number"], input[type="date"], input[type="time"], input[type="password"], textarea';
  /** @type {Record<string, string>} */
  const SAMPLES = {
    email: 'sample@example.com',
    url: 'https://example.com/',
    tel: '5550100',
    number: '2',
    date: '2026-01-15',
    time: '10:30',
    password: 'Sample-pass-1',
  };

  /** Fills the empty fields as a user would: frameworks hear of it. */
  const fillFields = () => {
    for (const field of document.querySelectorAll(FIELDS)) {
      if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) continue;
      if (field.value !== '' || field.disabled || field.readOnly || !isShown(field)) continue;
      const prototype =
        field instanceof HTMLInputElement
          ? HTMLInputElement.prototype
          : HTMLTextAreaElement.prototype;
      const value = SAMPLES[field.type] ?? 'Sample';
      Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, value);
      field.dispatchEvent(new Event('input', { bubbles: true }));
      field.dispatchEvent(new Event('change', { bubbles: true }));
    }
  };

  /** Counts what changes in the page from now on. */
  const watch = () => {
    const seen = { changes: 0 };
    new MutationObserver((records) => {
      seen.changes += records.length;
    }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    // A field that is emptied is a change that the document does not show.
    const values = () =>
      [...document.querySelectorAll(FIELDS)]
        .map((field) => /** @type {HTMLInputElement} */ (field).value)
        .join('\n');
    const before = values() + JSON.stringify({ ...localStorage }) + location.href;
    Object.assign(window, {
      hyperagentChanges: () =>
        seen.changes > 0 ||
        values() + JSON.stringify({ ...localStorage }) + location.href !== before,
    });
  };

  /** Whether anything has changed since `watch`; true for another document. */
  const hasChanged = () => {
    const { hyperagentChanges } = /** @type {{ hyperagentChanges?: () => boolean }} */ (
      /** @type {unknown} */ (window)
    );
    return hyperagentChanges?.() ?? true;
  };

  return { facts, accessibility, controls, fillFields, watch, hasChanged };
})();
