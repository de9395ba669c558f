import type { CDPSession, Page } from 'playwright-core';
import { placeIn } from './page-places.ts';
import type { PageProblem } from './types.ts';
import { untilAborted } from './until-aborted.ts';

/** How long it takes at most to see where a page is running. */
const PAUSE_MS = 2_000;

interface PausedAt {
  readonly callFrames: readonly {
    readonly location: {
      readonly scriptId: string;
      readonly lineNumber: number;
      readonly columnNumber?: number;
    };
  }[];
}

/** Knows the scripts of a page, to say where one is that does not come to an end. */
export class ScriptWatch {
  readonly #session: CDPSession;
  /** Addresses of scripts by what the debugger calls them. */
  readonly #addresses = new Map<string, string>();
  #onPaused: (at: PausedAt) => void;

  private constructor(session: CDPSession) {
    this.#session = session;
    // A stop of the page's own, by `debugger`, is none.
    this.#onPaused = () => void session.send('Debugger.resume').catch(() => undefined);
    session.on('Debugger.scriptParsed', ({ scriptId, url }) => this.#addresses.set(scriptId, url));
    session.on('Debugger.paused', (at) => this.#onPaused(at));
  }

  /** To be called before the page is opened: a page that is busy lets nobody in. */
  static async attach(page: Page): Promise<ScriptWatch> {
    const session = await page.context().newCDPSession(page);
    const watch = new ScriptWatch(session);
    await session.send('Debugger.enable');
    return watch;
  }

  /** Stops the page, for good, and says where it was; null where that cannot be seen. */
  async running(): Promise<PageProblem['place']> {
    const paused = new Promise<PausedAt>((resolve) => {
      this.#onPaused = resolve;
    });
    const asked = this.#session.send('Debugger.pause').then(() => paused);
    const at = await untilAborted(asked, AbortSignal.timeout(PAUSE_MS)).catch(() => null);
    const stack = (at?.callFrames ?? []).map(
      ({ location: { scriptId, lineNumber, columnNumber = 0 } }) =>
        `${this.#addresses.get(scriptId) ?? ''}:${lineNumber + 1}:${columnNumber + 1}`,
    );
    return placeIn(stack.join('\n'));
  }
}
