import { refusesSignIn } from '#contract/browser.ts';
import { describeOutcome } from './describe-outcome.ts';
import type { Done } from './do-action.ts';
import type { DownloadKeeper } from './downloads.ts';
import { lookAt } from './page-view.ts';
import type { RefSpace } from './ref-space.ts';
import { settle } from './settle.ts';
import type { TabStrip } from './tab-strip.ts';
import type { ActingRun, ActionOutcome } from './types.ts';

/** What one action came to, before it is put into words. */
export interface ActionResult {
  readonly ok: boolean;
  readonly said: string;
  /** Null where it was not done, or where a dialog opened before it was known. */
  readonly done: Done | null;
  /** The model is shown the whole view, not what changed. */
  readonly isFresh: boolean;
}

const REFUSES =
  'This sign-in refuses browsers that programs can drive, for you and for the user. Find another way, or say so.';

export interface ReportScope {
  readonly run: ActingRun;
  readonly tabs: TabStrip;
  readonly refs: RefSpace;
  readonly downloads: DownloadKeeper | null;
  /** Ends when the user takes over, or the run stops. */
  readonly signal: AbortSignal;
  /** The address of the shown page, without what the user typed. */
  readonly url: () => string | null;
}

/**
 * Waits until the page is quiet, and puts into words what was done and what the page shows: the whole view, or what
 * changed in it since the model saw it. Rejects where the page does not answer.
 */
export async function reportAction(
  { ok, said, done, isFresh }: ActionResult,
  { run, tabs, refs, downloads, signal, url }: ReportScope,
): Promise<ActionOutcome> {
  const tab = tabs.current;
  if (tab !== null && tabs.dialog === null && done?.isLook !== true) {
    const busy = await tabs.untilDialog(settle(tab.page, tab.activity, signal), signal);
    if (busy !== null) tabs.note(busy);
  }
  const now = tabs.current;
  const finished = (await downloads?.take()) ?? [];
  const parts = {
    ...{ said, dialog: tabs.dialog, downloads: finished },
    notes: now !== null && refusesSignIn(now.url) ? [...tabs.notes, REFUSES] : tabs.notes,
    refused: now?.activity.refused ?? [],
    viewTokens: run.viewTokens,
  };
  const paths = finished.flatMap(({ path }) => path ?? []);
  const rest = { ok, url: url(), ...(paths.length === 0 ? {} : { downloads: paths }) };
  if (now === null || tabs.dialog !== null) return { ...rest, text: describeOutcome(parts) };
  const { screenshot, labels = [], part, lines } = done ?? {};
  if (screenshot !== undefined) {
    if (done?.view != null) now.see(done.view);
    const text = describeOutcome({ ...parts, ...(labels.length > 0 && lines && { lines }) });
    return { ...rest, text, screenshot, ...(labels.length > 0 && { labels }) };
  }
  if (part !== undefined) {
    now.see(part);
    return { ...rest, text: describeOutcome({ ...parts, view: part, isPart: true }) };
  }
  const view = done?.view ?? (await lookAt(now, refs));
  // One that was given up must not pass for what the model saw.
  signal.throwIfAborted();
  const isWhole = isFresh || now !== tab || said === '' || done?.isElsewhere === true;
  const before = isWhole ? null : now.view;
  if (view !== null) now.view = view;
  now.title = view?.title ?? now.title;
  const text = describeOutcome({
    ...parts,
    view,
    before,
    ...(lines === undefined ? {} : { lines }),
  });
  return { ...rest, text };
}
