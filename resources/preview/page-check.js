// What the check of an app asks a page. An expression, evaluated in the page; its value is an object of functions.
(() => {
  const MOST = 5;
  const SHORT = 80;

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
      if (words !== '' && isShown(parentElement) && hasArea(parentElement)) text += `${words} `;
    }
    return text.trim();
  };

  const SEEN_WITHOUT_TEXT =
    'img,canvas,svg,video,iframe,input,textarea,select,button,progress,meter';
  const showsSomething = () =>
    [...document.querySelectorAll(SEEN_WITHOUT_TEXT)].some(
      (element) => isShown(element) && hasArea(element),
    );

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
    return named.map((element) => ({
      name: nameOf(element),
      by: Math.round(element.getBoundingClientRect().right - width),
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
  });

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

  return { facts, controls, fillFields, watch, hasChanged };
})();
