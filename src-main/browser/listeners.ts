import type { CDPSession, Page } from 'playwright-core';

/** Events by which an element that is no control takes a click. */
const CLICKS: ReadonlySet<string> = new Set([
  'click',
  'mousedown',
  'mouseup',
  'pointerdown',
  'dblclick',
]);
/** Pages with more have them on every row; those rows show a hand, or have a role. */
const MOST_ELEMENTS = 400;
const MOST_MS = 700;

/** Playwright's isolated world, where the app's script is. */
const WORLD = /^__playwright_utility_world/;

/**
 * Which elements of a page listen for clicks: pages keep that from the app's script, Chromium says it. Marks them
 * for the next view. A page that does not answer in time is viewed without.
 */
export class PageListeners {
  readonly #page: Page;
  #session: Promise<CDPSession> | null = null;
  /** The isolated world of the main frame's current document; null until it has one. */
  #context: number | null = null;
  /** Marked already in that document. */
  #marked = new Set<number>();
  #isSlow = false;

  constructor(page: Page) {
    this.#page = page;
    page.on('framenavigated', (frame) => {
      if (frame === page.mainFrame()) this.#isSlow = false;
    });
  }

  async mark(): Promise<void> {
    if (this.#isSlow || this.#page.isClosed()) return;
    const late = Promise.withResolvers<'late'>();
    const timer = setTimeout(late.resolve, MOST_MS, 'late');
    try {
      const ended = await Promise.race([this.#mark(), late.promise]);
      this.#isSlow = ended === 'late';
    } catch {
      // The document went away meanwhile; its successor is looked at with the next view.
    } finally {
      clearTimeout(timer);
    }
  }

  async #mark(): Promise<void> {
    this.#session ??= this.#open();
    const session = await this.#session;
    const contextId = this.#context;
    if (contextId === null) return;
    // Of the page's own world: listeners of others are not given. No page can put anything else in its place.
    const { result } = await session.send('Runtime.evaluate', { expression: 'document' });
    if (result.objectId === undefined) return;
    const { listeners } = await session.send('DOMDebugger.getEventListeners', {
      ...{ objectId: result.objectId, depth: -1, pierce: false },
    });
    const found = new Set(
      listeners.flatMap(({ type, backendNodeId }) =>
        CLICKS.has(type) ? (backendNodeId ?? []) : [],
      ),
    );
    const unmarked = [...found].filter((id) => !this.#marked.has(id)).slice(0, MOST_ELEMENTS);
    if (unmarked.length === 0) return;
    const resolved = await Promise.allSettled(
      unmarked.map((backendNodeId) =>
        session.send('DOM.resolveNode', { backendNodeId, executionContextId: contextId }),
      ),
    );
    const objects = resolved.flatMap((one) =>
      one.status === 'fulfilled' && one.value.object.objectId !== undefined
        ? [{ objectId: one.value.object.objectId }]
        : [],
    );
    await session.send('Runtime.callFunctionOn', {
      functionDeclaration: '(...elements) => globalThis.hyperagentListens?.(elements)',
      ...{ executionContextId: contextId, arguments: objects },
    });
    for (const id of unmarked) this.#marked.add(id);
  }

  async #open(): Promise<CDPSession> {
    const session = await this.#page.context().newCDPSession(this.#page);
    const { frameTree } = await session.send('Page.getFrameTree');
    const mainFrame = frameTree.frame.id;
    session.on('Runtime.executionContextCreated', ({ context }) => {
      const { frameId } = (context.auxData ?? {}) as { readonly frameId?: string };
      if (frameId !== mainFrame || !WORLD.test(context.name)) return;
      this.#context = context.id;
      this.#marked = new Set();
    });
    session.on('Runtime.executionContextsCleared', () => {
      this.#context = null;
    });
    await session.send('Runtime.enable');
    return session;
  }
}
