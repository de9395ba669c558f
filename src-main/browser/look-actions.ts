import { ActionFailed } from './action-failed.ts';
import type { Done } from './do-action.ts';
import { type ActionScope, gone, resolve } from './find-element.ts';
import { ask } from './page-script.ts';
import { lookAt, type PageView, textOf } from './page-view.ts';
import type { PrivateValues } from './private-values.ts';
import type { ShownElement } from './types.ts';

const FOUND = 20;
/** Frames whose texts are searched. */
const SEARCHED_FRAMES = 10;
const FRAME_MS = 1_500;

/** The view of the page again, or one element in full. Throws `ActionFailed`. */
export async function snapshot(ref: string | undefined, scope: ActionScope): Promise<Done> {
  const { tab, refs } = scope;
  if (ref === undefined) return { said: '', view: await lookAt(tab, refs), isLook: true };
  const at = resolve(ref, scope);
  const view = await lookAt(tab, refs, at);
  if (view === null) throw await gone(ref, at, scope);
  return { said: `What is in [${ref}]:`, part: view, isLook: true };
}

/** The controls, headings and texts of the whole page that match. Throws `ActionFailed`. */
export async function findInPage(
  { text = '', role = '' }: { readonly text?: string; readonly role?: string },
  scope: ActionScope,
): Promise<Done> {
  const words = text.toLowerCase().trim();
  const kind = role.toLowerCase().trim();
  if (words === '' && kind === '') {
    throw new ActionFailed('Say what to find: a text, a role, or both.');
  }
  const view = await lookAt(scope.tab, scope.refs);
  const { values } = scope;
  const controls = view === null ? [] : matching(view, { words, kind, values });
  const texts = words === '' || kind !== '' ? [] : await textsIn(words, scope);
  const named = new Set(controls.map(({ name }) => name));
  const others = texts.filter(({ name }) => !named.has(name));
  const lines = [...controls.map(({ line }) => line), ...others.map(({ line }) => line)];
  const wanted = [...(words === '' ? [] : [`"${text}"`]), ...(kind === '' ? [] : [kind])];
  if (lines.length === 0) {
    return {
      said: `Nothing on the page matches ${wanted.join(', ')}.`,
      lines: [],
      view,
      isLook: true,
    };
  }
  const more = lines.length > FOUND ? [`… ${lines.length - FOUND} more: use more words`] : [];
  const elements = new Map([
    ...(view?.elements ?? []),
    ...others.map((one) => [one.ref, one.element] as const),
  ]);
  return {
    said: `${lines.length} found:`,
    ...{ view: view === null ? null : { ...view, elements }, isLook: true },
    lines: [...lines.slice(0, FOUND), ...more],
  };
}

function matching(
  { lines, elements }: PageView,
  {
    words,
    kind,
    values,
  }: { readonly words: string; readonly kind: string; readonly values: PrivateValues },
): { readonly line: string; readonly name: string }[] {
  return lines.flatMap((line) => {
    const element = line.ref === null ? null : (elements.get(line.ref) ?? null);
    if (element === null && line.kind !== 'heading') return [];
    const isRole =
      kind === '' || element?.role === kind || (kind === 'heading' && element === null);
    // Without the ref, which is no word of the page.
    const shown = values.hide(line.text.replace(/^\s*\[\w+\] /, '')).toLowerCase();
    if (!isRole || (words !== '' && !shown.includes(words))) return [];
    return [{ line: line.text.trimStart(), name: element?.name ?? '' }];
  });
}

/** Texts that are no controls, with refs of their own: whatever is shown can be clicked, hovered and dragged. */
async function textsIn(
  words: string,
  { tab, refs, values }: ActionScope,
): Promise<
  {
    readonly ref: string;
    readonly name: string;
    readonly line: string;
    readonly element: ShownElement;
  }[]
> {
  const frames = tab.page.frames().slice(0, SEARCHED_FRAMES);
  const looks = frames.map(async (frame) => {
    const { found, lastRef } = await ask(frame, 'textRefs', {
      text: words,
      start: refs.highest(frame),
      timeoutMs: FRAME_MS,
    });
    refs.sawUpTo(frame, lastRef);
    // What is hidden is not found either: a search must not say what the user typed.
    const shown = found.filter(({ name }) => values.hide(name).toLowerCase().includes(words));
    return shown.map(({ ref: number, name, ...reach }) => {
      const ref = refs.nameOf(frame, number);
      const line = textOf({ kind: 'action', near: 0, modal: false, role: 'text', name }, ref);
      const element = { ref, role: 'text', name, ...reach };
      return { ref, name, line, element };
    });
  });
  const settled = await Promise.allSettled(looks);
  return settled.flatMap((look) => (look.status === 'fulfilled' ? look.value : []));
}
