// Runs in the page of a preview, and tells the window around it what the page logs, where it is, and which element the
// user picks. The page may forge all of this: the window shows it as the page's own words.
(() => {
  const FRAME = window.parent;
  if (FRAME === window) return;
  const LONGEST = 2_000;
  /** Reports in one second; more are counted, and left out. */
  const MOST = 40;
  let [since, sent] = [0, 0];

  /** @param {Record<string, unknown>} report */
  const report = (report) => {
    const now = performance.now();
    if (now - since > 1_000) [since, sent] = [now, 0];
    sent += 1;
    if (sent <= MOST) FRAME.postMessage({ hyperagentPreview: report }, '*');
  };

  /** @param {unknown} value */
  const textOf = (value) => {
    if (typeof value === 'string') return value;
    if (value instanceof Error) return value.stack ?? `${value.name}: ${value.message}`;
    try {
      return JSON.stringify(value) ?? String(value);
    } catch {
      return String(value);
    }
  };

  /** @param {readonly unknown[]} values */
  const line = (values) => values.map(textOf).join(' ').slice(0, LONGEST);

  for (const level of /** @type {const} */ (['error', 'warn', 'info', 'log', 'debug'])) {
    const original = console[level];
    console[level] = (...values) => {
      report({ kind: 'console', level, text: line(values) });
      original.apply(console, values);
    };
  }

  window.addEventListener(
    'error',
    (event) => {
      const { target } = event;
      if (target instanceof HTMLElement) {
        const url = target.getAttribute('src') ?? target.getAttribute('href') ?? '';
        report({ kind: 'failed', text: `${target.localName} ${url}`.slice(0, LONGEST) });
      } else if (event instanceof ErrorEvent) {
        const at = event.filename === '' ? '' : ` (${event.filename}:${event.lineno})`;
        report({ kind: 'error', text: `${event.message}${at}`.slice(0, LONGEST) });
      }
    },
    true,
  );
  window.addEventListener('unhandledrejection', (event) => {
    report({ kind: 'error', text: line([event.reason]) });
  });

  const { fetch } = window;
  window.fetch = async (...request) => {
    const address = request[0] instanceof Request ? request[0].url : String(request[0]);
    try {
      const answer = await fetch.apply(window, request);
      if (!answer.ok) {
        report({ kind: 'failed', text: `${answer.status} ${address}`.slice(0, LONGEST) });
      }
      return answer;
    } catch (error) {
      report({ kind: 'failed', text: `${line([error])} ${address}`.slice(0, LONGEST) });
      throw error;
    }
  };

  const place = () =>
    report({ kind: 'place', text: location.pathname + location.search + location.hash });
  for (const name of /** @type {const} */ (['pushState', 'replaceState'])) {
    const original = history[name];
    history[name] = (...values) => {
      original.apply(history, values);
      place();
    };
  }
  window.addEventListener('popstate', place);
  window.addEventListener('hashchange', place);
  window.addEventListener('load', place);
  place();

  // Picking an element

  /** @type {HTMLElement | null} */
  let outline = null;
  /** Before all that Tab reaches. @type {HTMLElement | null} */
  let start = null;

  /** @param {Element} element */
  const selectorOf = (element) => {
    const parts = [];
    for (
      let at = /** @type {Element | null} */ (element);
      at !== null && at !== document.documentElement && parts.length < 5;
      at = at.parentElement
    ) {
      if (at.id !== '') {
        parts.unshift(`#${CSS.escape(at.id)}`);
        break;
      }
      const { localName } = at;
      const same = [...(at.parentElement?.children ?? [])].filter(
        (one) => one.localName === localName,
      );
      parts.unshift(
        same.length > 1 ? `${localName}:nth-of-type(${same.indexOf(at) + 1})` : localName,
      );
    }
    return parts.join(' > ');
  };

  /** @param {Element | null} element */
  const show = (element) => {
    if (outline === null || element === null || element === document.body || element === start)
      return;
    outline.hidden = false;
    const { left, top, width, height } = element.getBoundingClientRect();
    outline.style.cssText += `;left:${left}px;top:${top}px;width:${width}px;height:${height}px`;
  };

  /** @param {Element | null} element */
  const pick = (element) => {
    stopPicking();
    report({
      kind: 'picked',
      selector: element === null ? '' : selectorOf(element).slice(0, 300),
      text: (element?.textContent ?? '').trim().replace(/\s+/g, ' ').slice(0, 200),
      html: (element?.outerHTML ?? '').slice(0, 500),
    });
  };

  /** @param {MouseEvent} event */
  const onMove = (event) => show(document.elementFromPoint(event.clientX, event.clientY));

  const onFocus = () => show(document.activeElement);

  /** @param {MouseEvent} event */
  const onClick = (event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
    pick(document.elementFromPoint(event.clientX, event.clientY));
  };

  /** @param {KeyboardEvent} event */
  const onKey = (event) => {
    if (event.key !== 'Escape' && event.key !== 'Enter') return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const { activeElement } = document;
    pick(event.key === 'Enter' && activeElement !== start ? activeElement : null);
  };

  const stopPicking = () => {
    outline?.remove();
    start?.remove();
    outline = null;
    start = null;
    window.removeEventListener('mousemove', onMove, true);
    window.removeEventListener('click', onClick, true);
    window.removeEventListener('keydown', onKey, true);
    window.removeEventListener('focusin', onFocus, true);
  };

  const startPicking = () => {
    stopPicking();
    outline = document.createElement('div');
    outline.setAttribute('aria-hidden', 'true');
    outline.hidden = true;
    outline.style.cssText =
      'position:fixed;z-index:2147483647;pointer-events:none;border:2px solid #2563eb;background:rgb(37 99 235 / 0.15);box-sizing:border-box';
    document.documentElement.append(outline);
    // Tab begins at the top, wherever the page was used before.
    start = document.createElement('span');
    start.tabIndex = -1;
    document.body.prepend(start);
    start.focus({ preventScroll: true });
    window.addEventListener('mousemove', onMove, true);
    window.addEventListener('click', onClick, true);
    window.addEventListener('keydown', onKey, true);
    window.addEventListener('focusin', onFocus, true);
  };

  window.addEventListener('message', (event) => {
    if (event.source !== FRAME) return;
    if (event.data?.hyperagentPreview === 'pick') startPicking();
    if (event.data?.hyperagentPreview === 'stop_picking') stopPicking();
    if (event.data?.hyperagentPreview === 'reload') location.reload();
  });
})();
