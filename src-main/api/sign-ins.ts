import { AppError } from '#contract/errors.ts';
import { SIGN_IN_NAME_CHARS } from '#contract/sign-ins.ts';
import { hasHidden } from '#contract/visible-text.ts';
import { parseSignIn } from '../browser/sign-in.ts';
import type { SignInStore } from '../storage/sign-in-store.ts';
import { type BrowserRequestParts, browserOf } from './browser.ts';
import type { Requests } from './types.ts';

export interface SignInRequestParts extends BrowserRequestParts {
  readonly signIns: SignInStore;
}

/** Requests about saved sign-ins. Answers contain names, sites and times, never what was saved. */
export function signInRequests({ signIns, ...parts }: SignInRequestParts) {
  return {
    'signIns.list': () => ({ signIns: signIns.list(), storage: signIns.storage }),
    'signIns.save': async ({ threadId, name: given, replace }) => {
      const name = checkedName(given);
      const browser = browserOf(parts, threadId);
      // Before the page is read: a name that is taken is to be said at once.
      signIns.checkName({ name, replace });
      const signIn = await browser.readSignIn(threadId);
      const { site } = signIn;
      return { signIn: signIns.put({ name, site, contents: JSON.stringify(signIn), replace }) };
    },
    'signIns.use': async ({ threadId, signInId }) => {
      const browser = browserOf(parts, threadId);
      const saved = signIns.get(signInId);
      const signIn = parseSignIn(signIns.open(signInId), saved);
      const state = await browser.useSignIn(threadId, signIn);
      signIns.used(signInId);
      return state;
    },
    'signIns.delete': ({ signInId }) => {
      signIns.delete(signInId);
      return {};
    },
  } satisfies Requests<'signIns'>;
}

/** Throws `BAD_REQUEST`. */
function checkedName(given: string): string {
  const name = given.trim().replace(/\s+/g, ' ');
  if (name === '' || name.length > SIGN_IN_NAME_CHARS || hasHidden(name)) {
    throw new AppError(
      'BAD_REQUEST',
      `Give the sign-in a name of 1 to ${SIGN_IN_NAME_CHARS} visible characters.`,
    );
  }
  return name;
}
