import { z } from 'zod';
import { ATTACHMENT_LIMIT_BYTES, ATTACHMENT_LIMIT_COUNT, BROWSER_TEXT_CHARS } from './limits.ts';

const id = z.string().min(1).max(100);
const task = z.strictObject({ threadId: id });
const nothing = z.strictObject({});
/** CSS pixels of the page's viewport, from its top left corner. */
const pixels = z.number().min(-10_000).max(10_000);

/** Who may act in the browser of a task. `nobody`: no run is active, and the user has not taken over. */
export const BrowserControl = z.enum(['agent', 'user', 'nobody']);
export type BrowserControl = z.infer<typeof BrowserControl>;

export const BrowserTab = z.strictObject({ id, title: z.string(), url: z.string() });
export type BrowserTab = z.infer<typeof BrowserTab>;

/** The browser of a task, as a window shows it. Titles and addresses come from pages. */
export const BrowserState = z.strictObject({
  threadId: id,
  /** Whether a page is open. A browser that is not open starts with its first action. */
  isOpen: z.boolean(),
  control: BrowserControl,
  tabs: z.array(BrowserTab),
  /** Null where no page is open. */
  tabId: id.nullable(),
  isLoading: z.boolean(),
  /** Of the shown page, in CSS pixels. */
  viewport: z.strictObject({ width: z.int().positive(), height: z.int().positive() }),
  /** What the agent acts on right now, in CSS pixels of the viewport; null for nothing. */
  mark: z
    .strictObject({ x: z.number(), y: z.number(), width: z.number(), height: z.number() })
    .nullable(),
  /** An open dialog of the page; null for none. */
  dialog: z
    .strictObject({
      kind: z.enum(['alert', 'confirm', 'prompt', 'beforeunload']),
      message: z.string(),
    })
    .nullable(),
  /** The page asks the user for files; null where it does not. `accept` is what the page wants: its own words. */
  chooser: z.strictObject({ id, accept: z.string(), isMultiple: z.boolean() }).nullable(),
  /** Why there is no browser, or why it ended, and what to do; null where all is well. */
  problem: z.string().nullable(),
});
export type BrowserState = z.infer<typeof BrowserState>;

/** Sign-ins that refuse browsers which programs can drive. */
const REFUSING_SIGN_INS = /^https?:\/\/accounts\.google\.com(?:[:/]|$)/;

/** Whether the page is a sign-in that is known to refuse this browser. */
export function refusesSignIn(url: string): boolean {
  return REFUSING_SIGN_INS.test(url);
}

/** What the user does in the page, while they have control. */
export const BrowserInput = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.enum(['mouse_move', 'mouse_down', 'mouse_up']),
    x: pixels,
    y: pixels,
    button: z.enum(['left', 'middle', 'right']),
    /** 2 for the second click of a double click. */
    clicks: z.int().min(0).max(3),
  }),
  z.strictObject({ type: z.literal('wheel'), x: pixels, y: pixels, dx: pixels, dy: pixels }),
  /** A key by its `KeyboardEvent.key` and `code`, with the modifiers that are down. */
  z.strictObject({
    type: z.enum(['key_down', 'key_up']),
    key: z.string().min(1).max(40),
    code: z.string().max(40),
    modifiers: z.array(z.enum(['Alt', 'Control', 'Meta', 'Shift'])).max(4),
  }),
  /** Text that is pasted, or composed by an input method. */
  z.strictObject({ type: z.literal('text'), text: z.string().min(1).max(BROWSER_TEXT_CHARS) }),
]);
export type BrowserInput = z.infer<typeof BrowserInput>;
/** Inputs in one request. */
export const BROWSER_INPUTS = 100;

/** What is selected in the page, for the clipboard of who asks: held in memory, never stored or logged. */
export const BrowserSelection = z.strictObject({
  /** Empty where nothing is selected, and in fields of passwords; null where it is too long. */
  text: z.string().max(BROWSER_TEXT_CHARS).nullable(),
  /** It is in a field that can be changed. */
  canCut: z.boolean(),
});
export type BrowserSelection = z.infer<typeof BrowserSelection>;

/** A picture of the page as JPEG: held in memory, never stored or logged. */
export const BrowserFrame = z.strictObject({
  threadId: id,
  /** Counts up; the next one comes after `browser.drawn` with this number. */
  number: z.int().positive(),
  data: z.base64(),
});
export type BrowserFrame = z.infer<typeof BrowserFrame>;

export const BROWSER_REQUESTS = {
  'browser.state': { effect: 'read', input: task, output: BrowserState },
  /** Sends pictures of the task's page to this window as `browser_frame`, until `browser.unwatch`. */
  'browser.watch': { effect: 'read', input: task, output: BrowserState },
  'browser.unwatch': { effect: 'read', input: task, output: nothing },
  /** The window has drawn this picture, and can take the next one. */
  'browser.drawn': {
    effect: 'read',
    input: z.strictObject({ threadId: id, number: z.int().positive() }),
    output: nothing,
  },
  /**
   * `take` gives the browser to the user: the agent's next action waits until it is handed back. It opens a
   * browser where none is. With `showTyped`, the agent may see what the user typed since, but for passwords, codes
   * and cards.
   */
  'browser.control': {
    effect: 'once',
    input: z.strictObject({
      threadId: id,
      action: z.enum(['take', 'hand_back']),
      showTyped: z.boolean().optional(),
    }),
    output: BrowserState,
  },
  /** Acts in the page. `CONFLICT` unless the user has control. */
  'browser.input': {
    effect: 'once',
    input: z.strictObject({
      threadId: id,
      inputs: z.array(BrowserInput).min(1).max(BROWSER_INPUTS),
    }),
    output: nothing,
  },
  /** What the user copies out of the page. `CONFLICT` unless they have control. */
  'browser.selection': { effect: 'read', input: task, output: BrowserSelection },
  /**
   * Gives files to the field of the page that asks for them, and to nothing else; none cancels. `CONFLICT` where it no
   * longer asks, `FILE_TOO_LARGE` where all of them have more bytes than an attachment may have.
   */
  'browser.giveFiles': {
    effect: 'once',
    input: z.strictObject({
      threadId: id,
      chooserId: id,
      files: z
        .array(
          z.strictObject({
            name: z.string().min(1).max(255),
            mimeType: z.string().max(255),
            data: z.base64().max(Math.ceil(ATTACHMENT_LIMIT_BYTES / 3) * 4),
          }),
        )
        .max(ATTACHMENT_LIMIT_COUNT),
    }),
    output: BrowserState,
  },
  /** `CONFLICT` unless the user has control. An address without a scheme gets `https:`. */
  'browser.go': {
    effect: 'once',
    input: z.strictObject({
      threadId: id,
      to: z.union([
        z.enum(['back', 'forward', 'reload', 'stop', 'new_tab']),
        z.strictObject({ url: z.string().min(1).max(8_000) }),
        z.strictObject({ showTab: id }),
        z.strictObject({ closeTab: id }),
        /** Answers the open dialog. */
        z.strictObject({ accept: z.boolean(), text: z.string().max(10_000).optional() }),
      ]),
    }),
    output: BrowserState,
  },
  /** Ends the browser of the task, with its cookies. */
  'browser.close': { effect: 'once', input: task, output: BrowserState },
} as const;
