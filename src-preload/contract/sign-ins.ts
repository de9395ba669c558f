import { z } from 'zod';
import { BrowserState } from './browser.ts';

const id = z.string().min(1).max(100);
const nothing = z.strictObject({});

/** Characters of a name. */
export const SIGN_IN_NAME_CHARS = 80;

/** A sign-in that the user saved by name. What it consists of never leaves main. */
export const SavedSignIn = z.strictObject({
  id,
  name: z.string(),
  /** The origin that it was saved for, such as `https://example.com`. */
  site: z.string(),
  savedAt: z.number(),
  /** Null until it is first used. */
  usedAt: z.number().nullable(),
});
export type SavedSignIn = z.infer<typeof SavedSignIn>;

/** Requests about saved sign-ins; a part of `REQUESTS`. Only the user makes them, never a tool. */
export const SIGN_IN_REQUESTS = {
  /** By name. `storage` says what seals them; null where nothing does, so that none can be saved or used. */
  'signIns.list': {
    effect: 'read',
    input: nothing,
    output: z.strictObject({ signIns: z.array(SavedSignIn), storage: z.string().nullable() }),
  },
  /**
   * Saves what makes the user signed in at the site of the shown page. Throws `CONFLICT` unless the user has control, or
   * where the name is taken and not to be replaced.
   */
  'signIns.save': {
    effect: 'once',
    input: z.strictObject({
      threadId: id,
      name: z.string().max(1_000),
      replace: z.boolean(),
    }),
    output: z.strictObject({ signIn: SavedSignIn }),
  },
  /** Puts a sign-in into the browser of this task and opens its site. `CONFLICT` unless the user has control. */
  'signIns.use': {
    effect: 'once',
    input: z.strictObject({ threadId: id, signInId: id }),
    output: BrowserState,
  },
  /** Tasks that use it stay signed in. */
  'signIns.delete': { effect: 'once', input: z.strictObject({ signInId: id }), output: nothing },
} as const;
