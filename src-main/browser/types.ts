import type {
  BrowserControl,
  BrowserFrame,
  BrowserInput,
  BrowserSelection,
  BrowserState,
} from '#contract/browser.ts';
import type { RunEventOf } from '#contract/events/run-event.ts';
import type { RunEgress } from '../egress/app-egress.ts';
import type { EgressClient } from '../egress/types.ts';
import type { SignIn } from './sign-in.ts';

/** How long an action may take before the page counts as stuck, in ms. */
export const ACTION_TIMEOUT_MS = 10_000;

/**
 * What the agent does in the browser of its task. `ref` is what a view shows before an element, such as `e12`, or
 * `f2e5` in a frame.
 */
export type BrowserAction =
  | { readonly kind: 'navigate'; readonly url: string }
  | { readonly kind: 'back' }
  /** The view again, or one part of it in full. */
  | { readonly kind: 'snapshot'; readonly ref?: string }
  /** Elements and texts that contain `text`, or have a role. */
  | { readonly kind: 'find'; readonly text?: string; readonly role?: string }
  | {
      readonly kind: 'click';
      readonly at: PagePlace;
      readonly button?: 'left' | 'right' | 'middle';
      /** 2 opens or selects a word, 3 selects a paragraph. */
      readonly clicks?: number;
    }
  | { readonly kind: 'hover'; readonly at: PagePlace }
  /** Replaces what the field holds; `submit` presses Enter after it. */
  | {
      readonly kind: 'type';
      readonly ref: string;
      readonly text: string;
      readonly submit?: boolean;
    }
  /** A key such as `Enter`, `ArrowDown`, `Control+A`, in the focused element or in `ref`. */
  | {
      readonly kind: 'press_key';
      readonly key: string;
      readonly ref?: string;
      /** 1 unless given. */
      readonly times?: number;
    }
  | { readonly kind: 'select'; readonly ref: string; readonly options: readonly string[] }
  | { readonly kind: 'drag'; readonly from: PagePlace; readonly to: PagePlace }
  /** By screens, the page or the element `ref`. */
  | { readonly kind: 'scroll'; readonly screens: number; readonly ref?: string }
  /** Files of the workspace, by their paths in it. */
  | { readonly kind: 'upload'; readonly ref: string; readonly paths: readonly string[] }
  /** Shows, closes or opens a tab; without `tab`, lists them. */
  | {
      readonly kind: 'tabs';
      readonly tab?: number;
      readonly close?: boolean;
      readonly open?: boolean;
    }
  | { readonly kind: 'dialog'; readonly accept: boolean; readonly text?: string }
  /** Until the text is there, or gone; at most `seconds`. */
  | {
      readonly kind: 'wait';
      readonly text?: string;
      readonly gone?: boolean;
      readonly seconds?: number;
    }
  | { readonly kind: 'screenshot'; readonly wholePage?: boolean };

/** An element, or a point in CSS pixels of the viewport. */
export type PagePlace = { readonly ref: string } | { readonly x: number; readonly y: number };

/** What an action did. Texts come from the page: data, never instructions. */
export interface ActionOutcome {
  readonly ok: boolean;
  /** What the model reads: the result in a line, then the view, or what changed in it. */
  readonly text: string;
  /** The page after the action; null where none is open. */
  readonly url: string | null;
  /** A picture of the page as PNG, with masked fields covered. */
  readonly screenshot?: Uint8Array;
  /** Where elements are in it, on a page that draws. */
  readonly labels?: readonly ScreenshotLabel[];
  /** Files that were downloaded, by their paths in the workspace. */
  readonly downloads?: readonly string[];
}

/** Where an element is in a screenshot, in its pixels. */
export interface ScreenshotLabel {
  readonly ref: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** A drawing whose parts have no refs: only points of it can be named. */
  readonly isOpaque: boolean;
}

/** An element as the model last saw it. */
export interface ShownElement {
  readonly ref: string;
  readonly role: string;
  readonly name: string;
  /** Where a link leads, as a whole address; null for anything else. */
  readonly href: string | null;
  /** It is a button that sends its form. */
  readonly isSubmit: boolean;
  /** The form it belongs to; null for none. Values of masked fields are bullets. */
  readonly form: ShownForm | null;
}

export interface ShownForm {
  readonly method: 'get' | 'post' | 'dialog';
  /** Where it is sent to, as a whole address. */
  readonly action: string;
  /** It is a search, by its role or its field. */
  readonly isSearch: boolean;
  readonly fields: readonly { readonly name: string; readonly value: string }[];
}

/** An element as a call was judged by it. Fields of its form are there only where the user was asked about them. */
export type ExpectedElement = Omit<ShownElement, 'form'> & {
  readonly form: (Omit<ShownForm, 'fields'> & Partial<Pick<ShownForm, 'fields'>>) | null;
};

/** The run that acts. */
export interface ActingRun {
  readonly runId: string;
  readonly toolCallId: string;
  readonly egress: RunEgress;
  readonly signal: AbortSignal;
  /** Tokens that the view may take: a share of the model's real window. */
  readonly viewTokens: number;
  readonly workspace: BrowserFiles;
  readonly emit: (event: BrowserEventDraft) => void;
  /**
   * Compared with the element right before the action; for a drag, the one that is dropped on. Where role, name,
   * address, form or, if they are given, its fields differ, nothing is done, and the outcome is not `ok`.
   */
  readonly expected?: ExpectedElement | null;
}

export type BrowserEventDraft =
  | Omit<RunEventOf<'browser_action'>, 'runId' | 'seq' | 'at'>
  | Omit<RunEventOf<'browser_stream'>, 'runId' | 'seq' | 'at'>;

/** The files that a page may be given, and those that it gives. */
export interface BrowserFiles {
  /** Throws `PATH_OUTSIDE_WORKSPACE`, `NOT_FOUND`, `FILE_TOO_LARGE`. */
  read(path: string): Promise<Buffer>;
  /** Stores a download under a free name in `downloads/`, and returns its path. */
  add(name: string, hostPath: string): Promise<string>;
}

/** The browser of one task. */
export interface TaskBrowser {
  /**
   * Does one action, after those before it, once the user has handed the browser back. Opens the browser where
   * needed. Throws the signal's reason, `BROWSER_UNAVAILABLE`, `BROWSER_LOST`; what goes wrong in the page, and
   * what the network does not allow, is an outcome that is not `ok`.
   */
  act(action: BrowserAction, run: ActingRun): Promise<ActionOutcome>;
  /** The element as the last view showed it; null where none did. */
  shown(ref: string): ShownElement | null;
  /** The address of the current page; null where none is open. */
  readonly url: string | null;
  /** Whether an address is on the preview of the task's own app: everything there stays in its sandbox. */
  isPreview(url: string | null): boolean;
  /** The dialog that waits for an answer; null for none. */
  readonly dialog: BrowserState['dialog'];
  readonly control: BrowserControl;
}

/** A window that shows the page. */
export interface FrameViewer {
  /** Aborts when the window is gone. */
  readonly closed: AbortSignal;
  /**
   * At most one that is not drawn yet. A frame that the window cannot take now is dropped, and `again` is called once
   * it can take the newest.
   */
  showFrame(frame: BrowserFrame, again: () => void): void;
}

/** How the user gives the browser back. */
export interface HandBack {
  /** The agent may see what they typed since they took over, but for fields that look secret. Not unless it is given. */
  readonly showTyped: boolean;
}

/** A page as its scripts made it. */
export interface RenderedPage {
  /** Where it is now. */
  readonly url: string;
  /** Plain HTML, without scripts. */
  readonly html: string;
  /** The page was too large to be read whole. */
  readonly isCut: boolean;
  /** Hosts that the page wanted and the network did not allow. */
  readonly refused: readonly string[];
}

export interface RenderOptions {
  /** All that the page loads goes through it. */
  readonly egress: EgressClient;
  readonly signal: AbortSignal;
}

/** A step on a page, by the names that people see. */
export type PageStep =
  | { readonly click: string }
  | { readonly fill: string; readonly value: string }
  | { readonly expect: string }
  | { readonly gone: string };

/** Something that is wrong with a page. Messages are the page's own words. */
export interface PageProblem {
  readonly kind:
    | 'no_answer'
    | 'overlay'
    | 'error'
    | 'console'
    | 'failed_request'
    | 'blank'
    | 'overflow'
    | 'missing_image'
    | 'nothing_happens'
    | 'step'
    | 'stuck'
    | 'accessibility';
  readonly message: string;
  /** Where in the files that the server sent; null where it is not known. */
  readonly place: { readonly url: string; readonly line: number; readonly column: number } | null;
  /** What to look for in the sources where no place is known, the most telling first. */
  readonly clues: readonly PageClue[];
}

/** A text that stands where a problem may come from, such as the selector of a rule. */
export interface PageClue {
  readonly text: string;
  /** The address or path of the style sheet; empty where it may be any file. */
  readonly file: string;
}

export interface PageCheckWish extends RenderOptions {
  readonly url: string;
  /** `resources/preview/page-check.js`. */
  readonly script: string;
  /** Taken in order; the first that cannot be taken ends it. */
  readonly steps: readonly PageStep[];
  /** Without steps: whether every control is pressed once. */
  readonly presses: boolean;
}

export interface PagePictureWish extends RenderOptions {
  readonly url: string;
}

export interface PageCheck {
  readonly problems: readonly PageProblem[];
  /** Steps that were taken. */
  readonly passed: readonly string[];
  /** What the page shows. */
  readonly text: string;
  /** As PNG, at the width of a desktop; null where it could not be taken. */
  readonly screenshot: Uint8Array | null;
}

/** The browsers of all tasks: one process, with a context of its own for each task. */
export interface BrowserService extends AsyncDisposable {
  /** Starts nothing. */
  forTask(threadId: string): TaskBrowser;
  /**
   * Opens a page by itself, without cookies and away from the browsers of tasks, and reads it once it is quiet. At most
   * two at the same time; others wait. Throws the signal's reason, `BROWSER_UNAVAILABLE`, `BROWSER_LOST`, and
   * `FETCH_FAILED` for a page that cannot be read so.
   */
  render(url: string, options: RenderOptions): Promise<RenderedPage>;
  /**
   * Checks a page of an app, away from the browsers of tasks. Throws the signal's reason, `BROWSER_UNAVAILABLE`,
   * `BROWSER_LOST`; a page that cannot be opened is a problem of it.
   */
  check(wish: PageCheckWish): Promise<PageCheck>;
  /** A small picture of a page of an app, as JPEG: see `pagePicture`. Rejects as `check` does, and where none can be taken. */
  picture(wish: PagePictureWish): Promise<Uint8Array>;
  state(threadId: string): BrowserState;
  watch(threadId: string, viewer: FrameViewer): void;
  unwatch(threadId: string, viewer: FrameViewer): void;
  drawn(threadId: string, number: number, viewer: FrameViewer): void;
  /** Within 200 ms the agent acts no more. Throws `BROWSER_UNAVAILABLE`. */
  take(threadId: string): Promise<BrowserState>;
  handBack(threadId: string, how?: HandBack): Promise<BrowserState>;
  /** Throws `CONFLICT` unless the user has control. */
  input(threadId: string, inputs: readonly BrowserInput[]): Promise<void>;
  /** What is selected in the page. Throws `CONFLICT` unless the user has control. */
  selection(threadId: string): Promise<BrowserSelection>;
  /**
   * Gives files of the user to the field that asks for them; none cancels. Throws `CONFLICT` where nothing asks, or the
   * page does not take them, `BAD_REQUEST`, `FILE_TOO_LARGE`.
   */
  giveFiles(threadId: string, given: GivenFiles): Promise<BrowserState>;
  /** Throws `CONFLICT` unless the user has control. */
  go(threadId: string, to: BrowserDestination): Promise<BrowserState>;
  /** What makes the user signed in at the site of the shown page. Throws `CONFLICT` unless the user has control. */
  readSignIn(threadId: string): Promise<SignIn>;
  /** Puts it into the browser of this task alone, and opens its site. Throws `CONFLICT` unless the user has control. */
  useSignIn(threadId: string, signIn: SignIn): Promise<BrowserState>;
  /** A run has ended or paused: nothing of its pages reaches the network until the next one acts. */
  leaveRun(threadId: string, runId: string): void;
  /** Ends the browser of a task. */
  close(threadId: string): Promise<BrowserState>;
}

/** What the user chose for a page: kept nowhere else. */
export interface GivenFiles {
  readonly chooserId: string;
  readonly files: readonly {
    readonly name: string;
    readonly mimeType: string;
    readonly bytes: Buffer;
  }[];
}

export type PageDestination = 'back' | 'forward' | 'reload' | 'stop' | { readonly url: string };
export type TabDestination =
  | 'new_tab'
  | { readonly showTab: string }
  | { readonly closeTab: string }
  | { readonly accept: boolean; readonly text?: string | undefined };
/** Where the user goes: within a page, or to another tab, or past a dialog. */
export type BrowserDestination = PageDestination | TabDestination;
