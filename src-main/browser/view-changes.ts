import { roughTokens } from '#contract/rough-tokens.ts';
import { fitView, headOf, SURE } from './fit-view.ts';
import type { PageView, ViewLine } from './page-view.ts';

/** Changes that take more than this share of the whole view are no shorter than it. */
const WORTH_IT = 0.6;
/** Elements that are gone are named up to here. */
const NAMED_GONE = 6;

/** What differs between two looks at a page, within so many tokens; the whole view where that is no longer. */
export function changesSince(before: PageView | null, now: PageView, budget: number): string {
  if (before === null || !isSamePage(before, now)) return fitView(now, budget);
  const changes = changedLines(before.lines, now.lines);
  if (changes.length === 0) return `${headOf(now)}\nNothing changed on the page.`;
  const whole = fitView(now, budget);
  const lines: string[] = [headOf(now), 'Changed:'];
  let used = roughTokens(lines.join('\n'));
  for (const line of changes) {
    used += roughTokens(line) + 1;
    if (used > Math.min(budget * SURE, roughTokens(whole) * WORTH_IT)) {
      return whole;
    }
    lines.push(line);
  }
  return lines.join('\n');
}

function isSamePage(before: PageView, now: PageView): boolean {
  const plain = (url: string): string => url.split('#', 1)[0] ?? '';
  return before.document === now.document && plain(before.url) === plain(now.url);
}

/** `~` for a control that changed, `+` for what is new, `-` for what is gone. */
function changedLines(before: readonly ViewLine[], now: readonly ViewLine[]): string[] {
  const byRef = new Map(before.flatMap((line) => (line.ref === null ? [] : [[line.ref, line]])));
  const texts = countOf(before.filter(({ ref }) => ref === null).map(({ text }) => text));
  const changed: string[] = [];
  for (const { ref, text } of now) {
    if (ref === null) {
      const known = texts.get(text) ?? 0;
      if (known > 0) texts.set(text, known - 1);
      else changed.push(`+ ${text.trimStart()}`);
      continue;
    }
    const old = byRef.get(ref);
    byRef.delete(ref);
    if (old === undefined) changed.push(`+ ${text.trimStart()}`);
    else if (unfocused(old.text) !== unfocused(text)) changed.push(`~ ${text.trimStart()}`);
  }
  const gone = [
    ...[...byRef.values()].map(({ text }) => text.trimStart()),
    ...[...texts].flatMap(([text, count]) => Array<string>(count).fill(text.trimStart())),
  ];
  const named = gone.slice(0, NAMED_GONE).map((text) => `- ${text.slice(0, 80)}`);
  const more = gone.length > NAMED_GONE ? [`- … ${gone.length - NAMED_GONE} more are gone`] : [];
  return [...changed, ...named, ...more];
}

/** Where the focus went is not what a page says. */
function unfocused(text: string): string {
  return text.replace(' focused', '');
}

function countOf(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}
