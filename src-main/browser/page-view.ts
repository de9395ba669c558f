import type { ElementHandle, Frame, Page } from 'playwright-core';
import { ask, type FrameView, framesOf, type ViewItem } from './page-script.ts';
import type { RefSpace } from './ref-space.ts';
import type { ShownElement } from './types.ts';

/** A line of a view, before it is decided which lines fit. */
export interface ViewLine {
  readonly text: string;
  /** Null for text and headings. */
  readonly ref: string | null;
  readonly kind: ViewItem['kind'];
  /** Screens from what is in sight; 0 in sight. */
  readonly near: number;
  /** Inside a modal dialog: the rest of the page cannot be used meanwhile. */
  readonly modal: boolean;
}

/** A page as text, with all its frames. */
export interface PageView {
  readonly url: string;
  readonly title: string;
  /** Another one for each document, whatever its address. */
  readonly document: string;
  /** Its screens: which one is in sight, and how many there are. */
  readonly screen: { readonly at: number; readonly of: number } | null;
  readonly lines: readonly ViewLine[];
  readonly elements: ReadonlyMap<string, ShownElement>;
  readonly isCut: boolean;
}

/** A page, and what says which of its elements listen for clicks. */
export interface SeenPage {
  readonly page: Page;
  readonly listeners: { mark(): Promise<void> };
}

const MOST_FRAMES = 30;
const MOST_FRAME_DEPTH = 4;
/** A frame that takes longer is named in the view, and not read. */
const FRAME_MS = 800;

/**
 * Looks at a page, or at one element of it. Null where the element is gone. Rejects where the page does not answer;
 * a frame that does not is named in the view.
 */
export async function lookAt(
  { page, listeners }: SeenPage,
  refs: RefSpace,
  root: { readonly frame: Frame; readonly ref: number } | null = null,
): Promise<PageView | null> {
  const frame = root?.frame ?? page.mainFrame();
  await listeners.mark();
  const elements = new Map<string, ShownElement>();
  const lines: ViewLine[] = [];
  let frames = 0;
  let isCut = false;

  const add = async (at: Frame, view: FrameView, place: Place): Promise<void> => {
    refs.sawUpTo(at, view.lastRef);
    isCut ||= view.isCut;
    const inner = view.items.some(({ kind }) => kind === 'frame')
      ? await framesOf(at).elementHandles()
      : [];
    const looks = new Map<ViewItem, Promise<SeenFrame | null>>();
    for (const item of view.items) {
      const handle = inner[Number(item.extra)];
      if (item.kind !== 'frame' || handle === undefined) continue;
      frames += 1;
      if (frames > MOST_FRAMES || place.depth >= MOST_FRAME_DEPTH) continue;
      looks.set(item, lookInto(handle, refs));
    }
    for (const item of view.items) {
      const line = lineOf(item, { at, refs, place });
      lines.push(line);
      if (line.ref !== null) elements.set(line.ref, factsOf(line.ref, item, view));
      const look = looks.get(item);
      if (look === undefined) continue;
      const below = { near: line.near, modal: line.modal, depth: place.depth + 1 };
      const seen = await look;
      if (seen !== null) await add(seen.frame, seen.view, below);
      else
        lines.push({ ...line, ref: null, kind: 'text', text: `${indent(below)}(cannot be read)` });
    }
    await Promise.all(inner.map((handle) => handle.dispose().catch(() => undefined)));
  };

  const view = await viewOfFrame(frame, refs, root?.ref);
  if (view === null) return null;
  await add(frame, view, { near: 0, modal: false, depth: 0 });
  const { url, title, scroll, document } = view;
  const screen =
    scroll === null || scroll.height <= scroll.screen * 1.05
      ? null
      : {
          at: Math.min(
            Math.floor(scroll.y / scroll.screen) + 1,
            Math.ceil(scroll.height / scroll.screen),
          ),
          of: Math.ceil(scroll.height / scroll.screen),
        };
  return { url, title, document, screen, lines, elements, isCut };
}

/** Where a frame stands in the view of its page. */
interface Place {
  readonly near: number;
  readonly modal: boolean;
  readonly depth: number;
}

interface SeenFrame {
  readonly frame: Frame;
  readonly view: FrameView;
}

/** A frame inside a page; null for one that shows nothing that can be read, such as an address that was refused. */
async function lookInto(element: ElementHandle, refs: RefSpace): Promise<SeenFrame | null> {
  try {
    const frame = await element.contentFrame();
    if (frame === null || frame.url().startsWith('chrome-error:')) return null;
    const start = refs.highest(frame);
    const view = await ask(frame, 'view', { start, timeoutMs: FRAME_MS });
    return view === null ? null : { frame, view };
  } catch {
    // It is gone, or busy.
    return null;
  }
}

function viewOfFrame(frame: Frame, refs: RefSpace, ref?: number): Promise<FrameView | null> {
  return ask(frame, 'view', { start: refs.highest(frame), ...(ref === undefined ? {} : { ref }) });
}

function lineOf(
  item: ViewItem,
  { at, refs, place }: { readonly at: Frame; readonly refs: RefSpace; readonly place: Place },
): ViewLine {
  const ref = item.ref === undefined ? null : refs.nameOf(at, item.ref);
  const near = place.near === 0 ? item.near : place.near;
  const modal = place.modal || item.modal;
  return { text: `${indent(place)}${textOf(item, ref)}`, ref, kind: item.kind, near, modal };
}

function indent({ depth }: Pick<Place, 'depth'>): string {
  return '  '.repeat(depth);
}

/** In quotes, so that none of its own ends it. */
function quoted(text: string): string {
  return `"${text.replaceAll('"', '\\"')}"`;
}

/** Options that a view lists; the rest is counted. */
const LISTED_OPTIONS = 15;

/** One line, without anything that would begin another. */
export function textOf(item: ViewItem, ref: string | null): string {
  const { kind, role = '', name = '', states = [], value, options = [], extra = '' } = item;
  const said = name === '' ? '' : ` ${quoted(name)}`;
  switch (kind) {
    case 'heading':
      return `${'#'.repeat(Math.min(item.level ?? 1, 6))} ${item.text ?? ''}`;
    case 'text':
      return plainly(item.text ?? '');
    case 'frame':
      return `[${ref}] frame${said}:`;
    case 'opaque':
      return `[${ref}] ${role}${said} (drawn: not readable as text)`;
    case 'action': {
      const held =
        value === null || value === undefined || value === '' ? '' : ` = ${quoted(value)}`;
      const more =
        options.length > LISTED_OPTIONS ? `, … ${options.length - LISTED_OPTIONS} more` : '';
      const listed = options.slice(0, LISTED_OPTIONS).map(quoted);
      const choices = listed.length === 0 ? '' : ` options: ${listed.join(', ')}${more}`;
      const is = states.map((state) => ` ${state}`).join('');
      return `[${ref}] ${role}${extra}${said}${held}${is}${choices}`;
    }
  }
}

/** Text of a page that looks like a line of a view is marked as text. */
function plainly(text: string): string {
  return /^(?:\[|Page:|Changed:|frame\b|[#…~+-])/i.test(text) ? `text: ${text}` : text;
}

/** What risk and approval need to know of an element. */
export function factsOf(
  ref: string,
  item: ViewItem,
  { forms }: Pick<FrameView, 'forms'>,
): ShownElement {
  const { role = '', name = '', href = null, isSubmit = false } = item;
  const form = item.form === undefined ? null : (forms[item.form] ?? null);
  return { ref, role, name, href, isSubmit, form };
}
