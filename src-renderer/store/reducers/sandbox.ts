import type { RunEvent, RunEventOf } from '#contract/events/run-event.ts';
import type { Reducers, RunView, TerminalEntry, TerminalLog } from '../run-view.ts';
import { suggest } from '../suggest.ts';

/** Output of one entry; past it a new one begins, so that no string is copied over and over. */
const ENTRY_CHARS = 16_384;
/** Output that a run keeps in memory. The terminal shows some 10,000 lines; the log has all of it. */
export const TERMINAL_CHARS = 2_000_000;
/** Entries that are dropped at once, so that the list is rarely moved. */
const DROP_AT_LEAST = 64;

export const sandboxReducers = {
  terminal_command: (view, event) => {
    const { commandId, toolCallId = null, command, language, cwd } = event;
    const begun = { commandId, toolCallId, command, language, cwd };
    const started = append(view, event, { kind: 'command', ...begun });
    return suggest(started, 'terminal');
  },
  terminal_output: (view, event) => print(view, event, 'out'),
  terminal_error: (view, event) => print(view, event, 'err'),
  terminal_complete: (view, event) => {
    const { commandId, outcome, exitCode, durationMs } = event;
    return append(view, event, { kind: 'end', commandId, outcome, exitCode, durationMs });
  },
  workspace_update: changeWorkspace,
  browser_stream: (view, { streamUrl }) =>
    suggest(view, streamUrl.startsWith('app:') ? 'app' : 'browser'),
  browser_action: putBrowserStep,
} satisfies Partial<Reducers>;

/** Each action is one step, in the state of its last event. The conversation shows the call that it belongs to. */
function putBrowserStep(view: RunView, event: RunEventOf<'browser_action'>): RunView {
  const { actions, places } = view.browser;
  const { actionId, action, status, at } = event;
  const place = places.get(actionId) ?? actions.length;
  const before = actions[place];
  const { target = before?.target, url = before?.url } = event;
  places.set(actionId, place);
  actions[place] = {
    ...{ actionId, action, status, at: before?.at ?? at },
    ...(target === undefined ? {} : { target }),
    ...(url === undefined ? {} : { url }),
  };
  return suggest({ ...view, browser: { ...view.browser, version: event.seq } }, 'browser');
}

function print(
  view: RunView,
  event: RunEventOf<'terminal_output' | 'terminal_error'>,
  stream: 'out' | 'err',
): RunView {
  const { entries } = view.terminal;
  const last = entries.at(-1);
  const goesOn =
    last?.kind === 'output' &&
    last.commandId === event.commandId &&
    last.stream === stream &&
    last.text.length < ENTRY_CHARS;
  if (!goesOn) {
    const { commandId, text } = event;
    return append(view, event, { kind: 'output', commandId, stream, text });
  }
  last.text += event.text;
  const chars = view.terminal.chars + event.text.length;
  return withTerminal(view, event, { ...view.terminal, chars });
}

function append(view: RunView, event: RunEvent, entry: TerminalEntry): RunView {
  const { terminal } = view;
  terminal.entries.push(entry);
  const chars = terminal.chars + size(entry);
  const step = entry.kind === 'command' ? 1 : entry.kind === 'end' ? -1 : 0;
  return withTerminal(view, event, { ...terminal, chars, running: terminal.running + step });
}

function withTerminal(view: RunView, event: RunEvent, terminal: TerminalLog): RunView {
  return { ...view, terminal: { ...letGo(terminal), version: event.seq } };
}

/** Drops the oldest output once there is too much of it. */
function letGo(terminal: TerminalLog): TerminalLog {
  if (terminal.chars <= TERMINAL_CHARS) return terminal;
  let { chars } = terminal;
  let count = 0;
  for (const entry of terminal.entries) {
    if (chars <= TERMINAL_CHARS && count >= DROP_AT_LEAST) break;
    if (count === terminal.entries.length - 1) break;
    chars -= size(entry);
    count += 1;
  }
  terminal.entries.splice(0, count);
  return { ...terminal, chars, dropped: terminal.dropped + count };
}

function size(entry: TerminalEntry): number {
  switch (entry.kind) {
    case 'command':
      return entry.command.length;
    case 'output':
      return entry.text.length;
    case 'end':
      return 0;
  }
}

function changeWorkspace(view: RunView, event: RunEventOf<'workspace_update'>): RunView {
  const { operation, path, size: bytes, origin, among, seq } = event;
  const writers = among?.length ?? 1;
  view.workspace.byPath.set(path, { operation, size: bytes, origin, writers, seq });
  const changed = { ...view, workspace: { ...view.workspace, version: seq } };
  const isResult = origin !== 'attachment' && origin !== 'other' && operation !== 'delete';
  return isResult ? suggest(changed, 'files') : changed;
}
