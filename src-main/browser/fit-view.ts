import { roughTokens } from '#contract/rough-tokens.ts';
import type { PageView, ViewLine } from './page-view.ts';

/** Past so many tokens, only what is in sight is added: the rest of a page is there to be looked for. */
const ENOUGH_TOKENS = 900;
/** Refs and names take up to a sixth more tokens than the estimate says. */
export const SURE = 0.84;
/** Of a line of text, once there is more text than fits. */
const SHORT_CHARS = 160;
const LINE_BREAK_TOKENS = 0.4;

/**
 * The view of a page within so many tokens: what is in sight first (controls and headings before text), then what is
 * near. Says what it left out.
 */
export function fitView(view: PageView, budget: number, { whole = false } = {}): string {
  const head = headOf(view);
  const room = budget * SURE - roughTokens(head) - REST_TOKENS;
  const lines = shortened(view.lines, room);
  const chosen = new Set<ViewLine>();
  let used = 0;
  const ranks = whole ? [() => true] : RANKS;
  for (const [rank, belongs] of ranks.entries()) {
    for (const line of lines) {
      if (chosen.has(line) || !belongs(line)) continue;
      const cost = roughTokens(line.text) + LINE_BREAK_TOKENS;
      const isEnough = !whole && rank > LAST_IN_SIGHT && used + cost > ENOUGH_TOKENS;
      if (used + cost > room || isEnough) continue;
      used += cost;
      chosen.add(line);
    }
  }
  const shown = lines.filter((line) => chosen.has(line)).map(({ text }) => text);
  return [head, ...shown, ...restOf(view, lines, chosen)].join('\n');
}

/** Which lines come first. */
const RANKS: readonly ((line: ViewLine) => boolean)[] = [
  ({ modal, near }) => modal && near === 0,
  ({ kind, near }) => near === 0 && kind !== 'text',
  ({ near }) => near === 0,
  ({ kind, near }) => Math.abs(near) < 2 && kind !== 'text',
  ({ near }) => Math.abs(near) < 2,
  ({ kind }) => kind !== 'text',
  () => true,
];
const LAST_IN_SIGHT = 2;
/** For the line about what is left out. */
const REST_TOKENS = 40;

/** The first lines: what page it is. Its title and address are cut, so that a page cannot fill the view with them. */
export function headOf({ url, title, screen }: PageView): string {
  const where = screen === null ? '' : ` (screen ${screen.at} of ${screen.of})`;
  const shownTitle = title === '' ? 'untitled' : title.slice(0, 120);
  return `Page: ${shownTitle} - ${shownUrl(url)}${where}`;
}

const URL_CHARS = 200;

/** An address as views show it, bounded. */
export function shownUrl(url: string): string {
  return url.length > URL_CHARS ? `${url.slice(0, URL_CHARS)}…` : url;
}

/** Long texts are cut where all of it would take more than half of the room. */
function shortened(lines: readonly ViewLine[], room: number): readonly ViewLine[] {
  const texts = lines.filter(({ kind, near }) => kind === 'text' && near === 0);
  const cost = texts.reduce((sum, { text }) => sum + roughTokens(text), 0);
  if (cost <= room / 2) return lines;
  return lines.map((line) => {
    const isLong = line.kind === 'text' && line.text.length > SHORT_CHARS;
    return isLong ? { ...line, text: `${line.text.slice(0, SHORT_CHARS)}…` } : line;
  });
}

function restOf(
  { isCut }: PageView,
  lines: readonly ViewLine[],
  chosen: ReadonlySet<ViewLine>,
): string[] {
  const left = lines.filter((line) => !chosen.has(line));
  if (left.length === 0 && !isCut) return [];
  const controls = left.filter(({ ref }) => ref !== null).length;
  const texts = left.length - controls;
  const counts = [
    ...(controls > 0 ? [`${controls} more controls`] : []),
    ...(texts > 0 ? [`${texts} more lines of text`] : []),
    ...(isCut ? ['the page is too large to be read whole'] : []),
  ];
  return [`… ${counts.join(', ')}: browser_scroll, browser_find`];
}
