import type { BrowserState } from '#contract/browser.ts';
import type { RequestInput, RequestOutput } from '#contract/requests.ts';
import type { SavedSignIn } from '#contract/sign-ins.ts';
import type { FakeBrowser } from './fake-browser.ts';
import { Refusal } from './refusal.ts';

/** Saved sign-ins as main has them, without anything in them. */
export class FakeSignIns {
  /** Null where nothing can seal. */
  storage: string | null = 'a keychain for tests';
  signIns: SavedSignIn[] = [];
  readonly #browser: FakeBrowser;
  #next = 1;

  constructor(browser: FakeBrowser) {
    this.#browser = browser;
  }

  add(name: string, site: string): SavedSignIn {
    const savedAt = new Date(2026, 10, 3, 9, 30).getTime();
    const signIn = { id: `sign-in-${this.#next++}`, name, site, savedAt, usedAt: null };
    this.signIns.push(signIn);
    return signIn;
  }

  readonly handlers = {
    'signIns.list': (): RequestOutput<'signIns.list'> => ({
      signIns: this.signIns,
      storage: this.storage,
    }),
    'signIns.save': ({ threadId, name, replace }: RequestInput<'signIns.save'>) => {
      const { tabs, tabId } = this.#browser.state(threadId);
      const taken = this.signIns.find((one) => one.name.toLowerCase() === name.toLowerCase());
      if (taken !== undefined && !replace) {
        throw new Refusal('CONFLICT', `There is a saved sign-in "${taken.name}". Replace it.`, {
          isTaken: true,
        });
      }
      this.signIns = this.signIns.filter((one) => one !== taken);
      const url = tabs.find(({ id }) => id === tabId)?.url ?? 'https://example.com';
      return { signIn: this.add(name, new URL(url).origin) };
    },
    'signIns.use': ({ threadId, signInId }: RequestInput<'signIns.use'>): BrowserState => {
      const { site } = this.#of(signInId);
      return this.#browser.go({ threadId, to: { url: `${site}/` } });
    },
    'signIns.delete': ({ signInId }: RequestInput<'signIns.delete'>) => {
      const signIn = this.#of(signInId);
      this.signIns = this.signIns.filter((one) => one !== signIn);
      return {};
    },
  };

  #of(signInId: string): SavedSignIn {
    const found = this.signIns.find(({ id }) => id === signInId);
    if (found === undefined) throw new Refusal('NOT_FOUND', 'There is no such sign-in.');
    return found;
  }
}
