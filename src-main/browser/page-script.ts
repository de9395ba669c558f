import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Frame, Locator, Selectors } from 'playwright-core';
import type { ScreenshotLabel, ShownForm } from './types.ts';

/** The name under which Playwright knows the app's own selector engine. */
const ENGINE = 'hyperagent';
/** Their order: each uses what stands in those before it. */
const FILES = [
  'dom.js',
  'elements.js',
  'icons.js',
  'view.js',
  'texts.js',
  'html.js',
  'engine.js',
] as const;

/** What stands in a page, as `resources/browser/view.js` found it. Texts are the page's. */
export interface ViewItem {
  readonly kind: 'action' | 'heading' | 'text' | 'frame' | 'opaque';
  /** Screens below (or above, negative) what is in sight; 0 in sight. */
  readonly near: number;
  readonly modal: boolean;
  readonly ref?: number;
  readonly role?: string;
  readonly name?: string;
  readonly states?: readonly string[];
  readonly value?: string | null;
  readonly options?: readonly string[];
  /** Of a frame its place among the frames of the document, else the kind of a field. */
  readonly extra?: string;
  readonly level?: number;
  readonly text?: string;
  readonly href?: string | null;
  readonly isSubmit?: boolean;
  /** The place of its form among `forms`. */
  readonly form?: number;
}

export interface FrameView {
  readonly items: readonly ViewItem[];
  /** The page was too large, or took too long, to be seen whole. */
  readonly isCut: boolean;
  readonly lastRef: number;
  readonly forms: readonly ShownForm[];
  readonly url: string;
  readonly title: string;
  readonly document: string;
  readonly scroll: { readonly y: number; readonly height: number; readonly screen: number } | null;
}

/** What the user typed into a field. */
export interface TypedValue {
  readonly value: string;
  /** The field is for passwords, codes or cards, or looks like it. */
  readonly isSecret: boolean;
}

/** What a ref leads to. */
export type RefFacts =
  | { readonly isAlive: true; readonly item: ViewItem | null; readonly form: ShownForm | null }
  | {
      readonly isAlive: false;
      readonly was: string | null;
      readonly nearest: { readonly ref: number; readonly label: string } | null;
    };

/** The commands of `resources/browser/engine.js`, with what they return. */
interface Answers {
  view: FrameView | null;
  facts: RefFacts;
  cover: string | null;
  at:
    | (RefFacts & { readonly ref: number; readonly lastRef: number; readonly label: string })
    | null;
  quiet: {
    readonly ms: number;
    readonly state: string;
    readonly title: string;
    readonly height: number;
  };
  /** In the viewport of the frame; null for what is not in sight. */
  places: readonly (Omit<ScreenshotLabel, 'ref'> | null)[];
  masks: { readonly count: number; readonly origin: string };
  /** The page as plain HTML: `resources/browser/html.js`. */
  html: { readonly html: string; readonly isCut: boolean };
  hasText: { readonly found: boolean };
  textRefs: {
    /** With the whole text in which the words stand. */
    readonly found: readonly (RefFacts & { readonly ref: number; readonly text: string })[];
    readonly lastRef: number;
  };
  scroll: { readonly moved: number; readonly left: number } | null;
  takeOver: Readonly<Record<string, never>>;
  userValues: readonly TypedValue[];
  showTyped: Readonly<Record<string, never>>;
  /** `frame`: the place of the frame that has the focus; null where it is here. */
  selection: {
    readonly text: string | null;
    readonly canCut: boolean;
    readonly frame: number | null;
  };
}

/**
 * Makes the app's script known to Playwright, which runs it in an isolated world of every frame: pages can neither
 * see nor change it. Once for a process.
 */
export async function registerPageScript(
  selectors: Selectors,
  resourcesDir: string,
): Promise<void> {
  const parts = FILES.map((file) => readFile(path.join(resourcesDir, file), 'utf8'));
  const content = lazily((await Promise.all(parts)).join('\n'));
  try {
    await selectors.register(ENGINE, { content }, { contentScript: true });
  } catch (error) {
    // Another instance of the app in this process has done it.
    if (!(error instanceof Error && /already registered/.test(error.message))) throw error;
  }
}

/**
 * Does nothing before the first command: Playwright also loads engines into the page's own world, where it gives them
 * no commands.
 */
function lazily(script: string): string {
  return `(() => {
const create = () => {
${script}
return engine;
};
let made;
return {
  queryAll(root, selector) { made ??= create(); return made.queryAll(root, selector); },
  query(root, selector) { return this.queryAll(root, selector)[0] ?? null; },
};
})()`;
}

/** The answer of a frame to a command. Rejects where the frame is gone, stuck, or not a document. */
export async function ask<Command extends keyof Answers>(
  frame: Frame,
  command: Command,
  { timeoutMs = 3_000, ...given }: Readonly<Record<string, unknown>> & { timeoutMs?: number } = {},
): Promise<Answers[Command]> {
  const text = await frame
    .locator(selector({ do: command, ...given }))
    .textContent({ timeout: timeoutMs });
  return JSON.parse(text ?? 'null') as Answers[Command];
}

/** The element of a ref, for Playwright's own actions. */
export function elementAt(frame: Frame, ref: number): Locator {
  return frame.locator(selector({ do: 'element', ref }));
}

/** The frames of a document, in the order of its view. */
export function framesOf(frame: Frame): Locator {
  return frame.locator(selector({ do: 'frames' }));
}

/** A frame of a document by its place in the view; null for one that is gone. */
export async function frameAt(frame: Frame, place: number): Promise<Frame | null> {
  const [element] = await framesOf(frame).nth(place).elementHandles();
  const found = (await element?.contentFrame()) ?? null;
  await element?.dispose();
  return found;
}

/** What pictures must not show: fields that are masked, and all that holds a value with one of these hashes. */
export function maskedIn(frame: Frame, hashes: readonly number[]): Locator {
  return frame.locator(selector({ do: 'masked', hashes }));
}

/** FNV-1a of the UTF-16 units, as `resources/browser/engine.js` computes it. Values themselves are in no selector. */
export function hashOfValue(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
  }
  return hash;
}

/** Nothing that Playwright reads in a selector is left in it. */
function selector(command: Readonly<Record<string, unknown>>): string {
  return `${ENGINE}=${encodeURIComponent(JSON.stringify(command)).replaceAll("'", '%27')}`;
}
