import type { RunEvent } from '#contract/events/run-event.ts';

/**
 * The contents of a log, without what differs between runs (times, ids) and without what a second life
 * rightly emits again: starting the sandbox and the model, usage of a request. Pieces of one stream are
 * joined. Calls whose outcome only the user knew are left out entirely.
 */
export function normalise(events: readonly RunEvent[], unknown: ReadonlySet<string>): string[] {
  const ids = new Map<string, string>();
  const nameOf = (id: string): string => {
    const known = ids.get(id);
    if (known !== undefined) return known;
    ids.set(id, `#${ids.size + 1}`);
    return `#${ids.size}`;
  };
  const left = callsOf(events, unknown);
  const lines: string[] = [];
  let stream = { key: '', text: '' };
  const flush = (): void => {
    if (stream.key !== '') lines.push(`${stream.key} ${JSON.stringify(stream.text)}`);
    stream = { key: '', text: '' };
  };
  for (const event of events) {
    if (event.type === 'stage' || event.type === 'usage') continue;
    if (isOf(event, left)) continue;
    if (event.type === 'token' || event.type === 'reasoning') {
      const key = `${event.type} ${nameOf(event.messageId)}`;
      if (stream.key !== key) {
        flush();
        stream = { key, text: '' };
      }
      stream.text += event.text;
      continue;
    }
    flush();
    lines.push(describe(withoutRound(event), nameOf));
  }
  flush();
  return sortNeighbours(lines);
}

/** Versions of the app count rounds in different ways. */
function withoutRound(event: RunEvent): RunEvent {
  return event.type === 'tool_call' ? { ...event, round: 1 } : event;
}

/**
 * A log without what later versions say in other words than the one that began it: how a task was routed (it is
 * shown again in the new words), that a file is new, that a checkpoint was approved, why a call asks.
 */
export function withoutLaterWords(events: readonly RunEvent[]): readonly RunEvent[] {
  return events.filter(({ type }) => type !== 'routing').map(inEarlierWords);
}

function inEarlierWords(event: RunEvent): RunEvent {
  if (event.type === 'tool_result') {
    const content = event.content.replace(', a new file.', '.').replace('"approved":true,', '');
    return { ...event, content };
  }
  if (event.type !== 'interrupt') return event;
  const { why: _why, ...question } = event;
  return question;
}

/** Parallel reads end in any order. */
function sortNeighbours(lines: readonly string[]): string[] {
  const sorted: string[] = [];
  let results: string[] = [];
  for (const line of [...lines, '']) {
    if (line.startsWith('tool_result ')) {
      results.push(line);
      continue;
    }
    sorted.push(...results.sort(), line);
    results = [];
  }
  return sorted;
}

/** Ids of the calls that left these marks, and of their commands and questions. */
function callsOf(events: readonly RunEvent[], marks: ReadonlySet<string>): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const event of events) {
    if (event.type === 'tool_call') {
      const text = JSON.stringify(event.arguments);
      if ([...marks].some((mark) => text.includes(`echo ${mark} `))) ids.add(event.toolCallId);
    } else if (event.type === 'interrupt' && event.kind === 'decision') {
      ids.add(event.interruptId);
    } else if (event.type === 'terminal_command' && ids.has(event.toolCallId ?? '')) {
      ids.add(event.commandId);
    }
  }
  return ids;
}

function isOf(event: RunEvent, ids: ReadonlySet<string>): boolean {
  if (event.type === 'interrupt' || event.type === 'interrupt_response') {
    return ids.has(event.interruptId);
  }
  if (event.type === 'workspace_update') return ids.has(event.origin ?? '');
  if ('commandId' in event) return ids.has(event.commandId);
  return 'toolCallId' in event && ids.has(event.toolCallId ?? '');
}

/** Around text of others; random, so that the text cannot close it. */
const DATA_MARK = /\bdata-[0-9a-f]{16}\b/g;

const TIMES = new Set(['runId', 'seq', 'at', 'durationMs', 'type']);

function describe(event: RunEvent, nameOf: (id: string) => string): string {
  const parts = Object.entries(event)
    .filter(([name]) => !TIMES.has(name))
    .map(([name, value]) => {
      if (/Id$|^origin$/.test(name) && typeof value === 'string') return `${name}=${nameOf(value)}`;
      return `${name}=${JSON.stringify(value).replace(DATA_MARK, 'data-MARK')}`;
    });
  return `${event.type} ${parts.join(' ')}`;
}
