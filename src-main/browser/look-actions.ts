import { ActionFailed } from './action-failed.ts';
import type { Done } from './do-action.ts';
import { type ActionScope, gone, resolve } from './find-element.ts';
import { ask } from './page-script.ts';
import { factsOf, lookAt, type PageView, textOf } from './page-view.ts';
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

/** What is looked for: a role, '' for any, and words. */
interface Wanted {
  readonly kind: string;
  readonly has: (text: string) => boolean;
}

interface Found {
  readonly ref: string | null;
  readonly line: string;
  readonly element: ShownElement | null;
}

/** The controls, headings and texts of the whole page that match. Throws `ActionFailed`. */
export async function findInPage(
  { text = '', role = '' }: { readonly text?: string; readonly role?: string },
  scope: ActionScope,
): Promise<Done> {
  const words = text.trim();
  const kind = role.toLowerCase().trim();
  if (words === '' && kind === '') {
    throw new ActionFailed('Say what to find: a text, a role, or both.');
  }
  const view = await lookAt(scope.tab, scope.refs);
  const { values } = scope;
  const search = (has: Wanted['has']): Found[] =>
    view === null ? [] : matching(view, { kind, has, values });
  const fold = foldFor(words);
  const phrase = fold(words);
  const controls = search((name) => fold(name).includes(phrase));
  const texts = words === '' || kind !== '' ? [] : await textsIn(words, scope);
  const known = new Set(controls.map(({ ref }) => ref));
  const named = new Set(controls.map(({ element }) => element?.name));
  const others = texts.filter(({ ref, element }) => !known.has(ref) && !named.has(element?.name));
  const all = [...controls, ...others];
  const isExact = all.length > 0 || words === '';
  const parts = phrase.split(' ');
  const found = isExact ? all : search((name) => hasAll(fold(name), parts));
  const lines = found.map(({ line }) => line);
  const wanted = [...(words === '' ? [] : [`"${words}"`]), ...(kind === '' ? [] : [kind])];
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
    ...others.flatMap(({ ref, element }) =>
      ref === null || element === null ? [] : [[ref, element] as const],
    ),
  ]);
  return {
    said: isExact
      ? `${lines.length} found:`
      : `${wanted.join(', ')} is not there. With all its words:`,
    ...{ view: view === null ? null : { ...view, elements }, isLook: true },
    lines: [...lines.slice(0, FOUND), ...more],
  };
}

function hasAll(text: string, words: readonly string[]): boolean {
  const there = new Set(text.split(' '));
  return words.every((word) => there.has(word));
}

/** Letters and digits, as the page's script compares texts; all of it for words that have none. */
function foldFor(words: string): (text: string) => string {
  const isPlain = /[\p{L}\p{N}]/u.test(words);
  const rest = isPlain ? /[^\p{L}\p{N}]+/gu : /\s+/g;
  return (text) => text.toLowerCase().replace(rest, ' ').trim();
}

function matching(
  { lines, elements }: PageView,
  { kind, values, has }: Wanted & { readonly values: PrivateValues },
): Found[] {
  return lines.flatMap((line) => {
    const element = line.ref === null ? null : (elements.get(line.ref) ?? null);
    if (element === null && line.kind !== 'heading') return [];
    const isRole =
      kind === '' || element?.role === kind || (kind === 'heading' && element === null);
    // Without the ref, which is no word of the page.
    if (!isRole || !has(values.hide(line.text.replace(/^\s*\[\w+\] /, '')))) return [];
    return [{ ref: line.ref, line: line.text.trimStart(), element }];
  });
}

/** Texts, also those of controls past their names, with refs: whatever is shown can be clicked, hovered and dragged. */
async function textsIn(words: string, { tab, refs, values }: ActionScope): Promise<Found[]> {
  const fold = foldFor(words);
  const frames = tab.page.frames().slice(0, SEARCHED_FRAMES);
  const looks = frames.map(async (frame) => {
    const { found, lastRef } = await ask(frame, 'textRefs', {
      text: words,
      start: refs.highest(frame),
      timeoutMs: FRAME_MS,
    });
    refs.sawUpTo(frame, lastRef);
    return found.flatMap((facts) => {
      // What is hidden is not found either: a search must not say what the user typed.
      const isShown = fold(values.hide(facts.text)).includes(fold(words));
      if (!isShown || !facts.isAlive || facts.item === null) return [];
      const ref = refs.nameOf(frame, facts.ref);
      const { item, form } = facts;
      const forms = form === null ? [] : [form];
      const element = factsOf(ref, { ...item, ...(form === null ? {} : { form: 0 }) }, { forms });
      return [{ ref, line: textOf(item, ref), element }];
    });
  });
  const settled = await Promise.allSettled(looks);
  return settled.flatMap((look) => (look.status === 'fulfilled' ? look.value : []));
}
