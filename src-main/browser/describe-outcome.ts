import type { BrowserState } from '#contract/browser.ts';
import { roughTokens } from '#contract/rough-tokens.ts';
import type { FinishedDownload } from './downloads.ts';
import { fitView, SURE } from './fit-view.ts';
import type { PageView } from './page-view.ts';
import { changesSince } from './view-changes.ts';

export interface OutcomeParts {
  readonly said: string;
  readonly notes: readonly string[];
  readonly dialog: BrowserState['dialog'];
  /** Hosts that the network of the task did not let the page reach. */
  readonly refused: readonly string[];
  readonly downloads?: readonly FinishedDownload[];
  readonly view?: PageView | null;
  /** What the model saw before; null shows the whole view. */
  readonly before?: PageView | null;
  readonly viewTokens?: number;
  /** The view is a part of the page that was asked for. */
  readonly isPart?: boolean;
  /** Shown instead of the view. */
  readonly lines?: readonly string[];
}

const NAMED_HOSTS = 4;
const NOTE_CHARS = 400;
/** Of a page without a document element. */
const NOTHING = 'The page is empty.';

/** What the model reads of an action: what was done, what happened besides, and the page. Within its tokens. */
export function describeOutcome(parts: OutcomeParts): string {
  const { said, notes, dialog, refused, downloads = [], view = null, before = null, lines } = parts;
  const head = [
    ...(said === '' ? [] : [said]),
    ...notes.map((note) => note.slice(0, NOTE_CHARS)),
    ...downloads.map(describeDownload),
    ...(refused.length === 0 ? [] : [`Not reached, because this task may not: ${named(refused)}.`]),
    ...(dialog === null ? [] : [describeDialog(dialog)]),
    // What a page said must not pass for the first line of a view.
  ].map((line) => line.replaceAll(/\s*\n\s*/g, ' '));
  const budget = (parts.viewTokens ?? 0) - roughTokens(head.join('\n'));
  if (lines !== undefined) return [...head, ...within(lines, budget)].join('\n');
  if (view === null) return head.length === 0 ? NOTHING : head.join('\n');
  const shown =
    parts.isPart === true
      ? fitView(view, budget, { whole: true })
      : changesSince(before, view, budget);
  return [...head, shown].join('\n');
}

function describeDialog({ kind, message }: NonNullable<BrowserState['dialog']>): string {
  const said = message.slice(0, 500).replaceAll('"', "'");
  return `A dialog of the page is open (${kind}): "${said}". Answer it by browser_dialog.`;
}

function describeDownload({ name, path, problem }: FinishedDownload): string {
  return path === null
    ? `The download of ${name} ${problem ?? 'failed'}.`
    : `Downloaded ${name} to ${path}.`;
}

function named(hosts: readonly string[]): string {
  const more = hosts.length - NAMED_HOSTS;
  const first = hosts.slice(0, NAMED_HOSTS).join(', ');
  return more > 0 ? `${first} and ${more} more` : first;
}

function within(lines: readonly string[], budget: number): string[] {
  const kept: string[] = [];
  let used = 0;
  for (const line of lines) {
    used += roughTokens(line) + 1;
    if (used > budget * SURE && kept.length > 0)
      return [...kept, `… ${lines.length - kept.length} more`];
    kept.push(line);
  }
  return kept;
}
