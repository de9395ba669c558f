import type { Locator } from 'playwright-core';
import { ActionFailed } from './action-failed.ts';
import { ask, elementAt } from './page-script.ts';
import { factsOf, textOf } from './page-view.ts';
import type { PrivateValues } from './private-values.ts';
import type { FrameRef, RefSpace } from './ref-space.ts';
import type { Tab } from './tab.ts';
import type { ActingRun, ExpectedElement, PagePlace, ShownElement } from './types.ts';

/** How long an element may take to become ready for an action. */
export const READY_MS = 3_000;
/** Then the action itself is a matter of milliseconds. */
export const ACT_MS = 2_000;

/** What an action needs of its task. */
export interface ActionScope {
  readonly tab: Tab;
  readonly refs: RefSpace;
  readonly run: ActingRun;
  /** Ends when the user takes over, or the run stops. */
  readonly signal: AbortSignal;
  /** Shows where the agent is about to act. */
  readonly mark: (element: Locator) => Promise<void>;
  /** What the user typed: it must not be shown. */
  readonly values: PrivateValues;
}

/** The frame and number of a ref. Throws `ActionFailed` for what is none. */
export function resolve(ref: string, { refs, tab }: ActionScope): FrameRef {
  const at = refs.resolve(ref, tab.page.mainFrame());
  if (at === null)
    throw new ActionFailed(
      `[${ref.slice(0, 40)}] is no element of this page: take a ref from its view.`,
    );
  return at;
}

/** An element that can be acted on now. Throws `ActionFailed` for one that is gone, disabled, or not the judged one. */
export async function ready(ref: string, scope: ActionScope) {
  const target = resolve(ref, scope);
  const facts = await ask(target.frame, 'facts', { ref: target.ref });
  if (!facts.isAlive) throw await gone(ref, target, scope);
  if (facts.item === null) throw new ActionFailed(`[${ref}] is not shown now.`);
  const { item, form } = facts;
  const { states = [], extra = '', role = '', options = [] } = item;
  const label = textOf({ ...item, value: null, states: [], options: [] }, ref).slice(0, 160);
  const { expected } = scope.run;
  if (expected != null) {
    const now = scope.values.hideIn(
      factsOf(
        expected.ref,
        { ...item, ...(form === null ? {} : { form: 0 }) },
        { forms: form === null ? [] : [form] },
      ),
    );
    if (!isSameElement(expected, now)) {
      throw new ActionFailed(
        `[${ref}] changed since it was looked at: it is now ${label}. Nothing was done.`,
      );
    }
  }
  if (states.includes('disabled')) throw new ActionFailed(`${label} is disabled.`);
  const locator = elementAt(target.frame, target.ref);
  return {
    locator,
    label,
    target,
    extra,
    role,
    isNativeSelect: options.length > 0 || role === 'combobox',
  };
}

/** Whether it does what it did, and sends what the user was asked about, if they were. */
function isSameElement(expected: ExpectedElement, now: ShownElement): boolean {
  const keyOf = ({ role, name, href, isSubmit, form }: ExpectedElement): string => {
    const fields = expected.form?.fields === undefined ? null : (form?.fields ?? null);
    const of = form === null ? null : [form.method, form.action, form.isSearch, fields];
    return JSON.stringify([role, name, href, isSubmit, of]);
  };
  return keyOf(expected) === keyOf(now);
}

export async function gone(
  ref: string,
  at: FrameRef,
  { refs }: ActionScope,
): Promise<ActionFailed> {
  const facts = await ask(at.frame, 'facts', { ref: at.ref }).catch(() => null);
  const near = facts === null || facts.isAlive ? null : facts.nearest;
  const was = facts === null || facts.isAlive || facts.was === null ? '' : ` (it was ${facts.was})`;
  const other =
    near === null
      ? 'Look at the page again.'
      : `[${refs.nameOf(at.frame, near.ref)}] ${near.label} is there now.`;
  return new ActionFailed(`[${ref}] is gone${was}. ${other}`);
}

/** Why an element took no click. */
export async function whyNotReady(target: FrameRef, label: string): Promise<ActionFailed | null> {
  const cover = await ask(target.frame, 'cover', { ref: target.ref }).catch(() => null);
  if (cover !== null)
    return new ActionFailed(`${label} is covered by ${cover}: act on that first.`);
  return new ActionFailed(
    `${label} cannot be clicked: it is hidden, moving, or outside of what can be scrolled to.`,
  );
}

/** A point of the viewport, with what is there. */
export async function pointOf(
  place: PagePlace,
  scope: ActionScope,
): Promise<{ readonly x: number; readonly y: number; readonly label: string }> {
  if (!('ref' in place)) {
    const at = await ask(scope.tab.page.mainFrame(), 'at', {
      ...place,
      start: scope.refs.highest(scope.tab.page.mainFrame()),
    });
    if (at !== null) scope.refs.sawUpTo(scope.tab.page.mainFrame(), at.lastRef);
    return { ...place, label: `${at?.label ?? 'the page'} at ${place.x},${place.y}` };
  }
  const { locator, label } = await ready(place.ref, scope);
  await locator.scrollIntoViewIfNeeded({ timeout: READY_MS, signal: scope.signal });
  await scope.mark(locator);
  const box = await locator.boundingBox({ timeout: ACT_MS });
  if (box === null) throw new ActionFailed(`${label} is not shown.`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2, label };
}
