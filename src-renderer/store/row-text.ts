import type { ChatRow, ChatRows } from './chat-rows.ts';
import type { ToolItem, TranscriptItem } from './run-view.ts';

/** What a row says, as plain text: Markdown without its signs. Empty for a row that says nothing of its own. */
export function rowText(row: ChatRow): string {
  switch (row.kind) {
    case 'user':
      return row.run.origin?.kind === 'retry' ? '' : (row.message?.content ?? row.run.prompt);
    case 'unread':
      return plainOf(row.answer?.content ?? '');
    case 'steps':
    case 'activity':
      return '';
    case 'item':
      return textOf(row.item);
  }
}

function textOf(item: TranscriptItem): string {
  switch (item.kind) {
    case 'text':
      return plainOf(item.source);
    case 'reasoning':
      return item.text;
    case 'tool':
      return toolText(item);
    case 'note':
      return [item.title, item.detail].join('\n');
    case 'question':
      return [item.question.title, item.question.message].join('\n');
    case 'routing':
      return item.reason;
    case 'handoff':
      return item.task;
    case 'report':
      return item.title;
    case 'image':
      return item.alt;
    case 'end':
      return item.end.kind === 'error' ? item.end.message : '';
    case 'plan':
    case 'verification':
    case 'research':
    case 'sources':
    case 'walk':
      return '';
  }
}

function toolText(item: ToolItem): string {
  const calls = item.skill?.calls.map(toolText) ?? [];
  const values = Object.values(item.arguments).map((value) =>
    typeof value === 'string' ? value : JSON.stringify(value),
  );
  return [...values, item.content ?? '', ...calls].join('\n');
}

/** Without the signs of Markdown that are not shown. */
function plainOf(source: string): string {
  return source
    .replaceAll(/!?\[([^\]\n]*)\]\([^)\n]*\)/g, '$1')
    .replaceAll(/^[ \t]{0,3}(?:#{1,6}[ \t]+|>[ \t]?|```.*$|~~~.*$)/gm, '')
    .replaceAll(/\*\*|__|~~|`/g, '');
}

/** Items are replaced, never changed, so each is looked at once. */
const lowerTexts = new WeakMap<TranscriptItem, string>();

/** In lower case. While an answer streams, every other row is searched again for each piece of it. */
function lowerText(row: ChatRow): string {
  if (row.kind !== 'item') return rowText(row).toLowerCase();
  const known = lowerTexts.get(row.item);
  if (known !== undefined) return known;
  const text = textOf(row.item).toLowerCase();
  lowerTexts.set(row.item, text);
  return text;
}

/** A match: the row, and how many matches of the row are before it. */
export interface FoundText {
  readonly row: number;
  readonly nth: number;
}

/** Most matches that are counted. */
const MAX_MATCHES = 10_000;

/** Where the text is in the conversation, ignoring case, in order. */
export function findInRows(rows: ChatRows, wanted: string): FoundText[] {
  const needle = wanted.toLowerCase();
  const found: FoundText[] = [];
  if (needle.trim() === '') return found;
  for (let row = 0; row < rows.count; row += 1) {
    const at = rows.at(row);
    const text = at === null ? '' : lowerText(at);
    let nth = 0;
    for (let i = text.indexOf(needle); i >= 0; i = text.indexOf(needle, i + needle.length)) {
      found.push({ row, nth });
      nth += 1;
      if (found.length >= MAX_MATCHES) return found;
    }
  }
  return found;
}

/** The conversation as Markdown: the messages, the answers, and each call as one line. */
export function conversationMarkdown(
  rows: ChatRows,
  names: { readonly you: string; readonly answer: string },
): string {
  const parts: string[] = [];
  let speaker: string | null = null;
  const say = (who: string, text: string): void => {
    if (text.trim() === '') return;
    if (speaker !== who) parts.push(`## ${who}`);
    speaker = who;
    parts.push(text.trim());
  };
  for (let index = 0; index < rows.count; index += 1) {
    const row = rows.at(index);
    if (row === null) continue;
    if (row.kind === 'user') {
      speaker = null;
      say(names.you, rowText(row));
    } else if (row.kind === 'unread') say(names.answer, row.answer?.content ?? '');
    else if (row.kind === 'item') say(names.answer, markdownOf(row.item));
  }
  return `${parts.join('\n\n')}\n`;
}

function markdownOf(item: TranscriptItem): string {
  switch (item.kind) {
    case 'text':
      return item.source;
    case 'tool': {
      const [first = ''] = Object.values(item.arguments).filter((one) => typeof one === 'string');
      const line = first.split('\n').find((one) => one.trim() !== '') ?? '';
      return `> ${item.name}: ${codeSpan(line.trim())}`;
    }
    case 'image':
      return `![${item.alt.replaceAll(/[[\]\n]/g, ' ')}](<${item.path.replaceAll(/[<>\n]/g, ' ')}>)`;
    case 'end':
      return item.end.kind === 'error' ? `> ${item.end.message}` : '';
    default:
      return '';
  }
}

/** Text between as many backticks as it needs. */
function codeSpan(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return longest === 0 ? `${fence}${text}${fence}` : `${fence} ${text} ${fence}`;
}
