import type { RunEventOf } from '#contract/events/run-event.ts';
import { openBlock, pushMarkdown } from '../markdown-blocks.ts';
import { type OpenMessage, openMessage, type Reducers, type RunView } from '../run-view.ts';
import {
  addItem,
  changeTool,
  findItem,
  replaceItem,
  setActivity,
  setLive,
  settle,
} from '../transcript.ts';

export const contentReducers = {
  token: (view, event) => setActivity(reduceToken(view, event), event, 'writing'),
  reasoning: (view, event) => setActivity(reduceReasoning(view, event), event, 'thinking'),
  image: (view, event) =>
    addItem(settle(view, event), event, {
      kind: 'image',
      key: `image ${event.seq}`,
      path: event.path,
      alt: event.alt,
      mimeType: event.mimeType,
    }),
  code_result: (view, event) => {
    const { toolCallId, language, outcome, exitCode, stdout, stderr } = event;
    const code = { language, outcome, exitCode, stdout, stderr };
    return changeTool(view, event, { toolCallId, code });
  },
} satisfies Partial<Reducers>;

function reduceToken(view: RunView, event: RunEventOf<'token'>): RunView {
  const { messages } = view.transcript;
  let message = messages.get(event.messageId);
  if (message === undefined) {
    message = openMessage();
    messages.set(event.messageId, message);
  }
  const { finished, definitions } = pushMarkdown(message.splitter, event.text);
  let next = isLive(view, message) ? view : settle(view, event);
  for (const source of finished) {
    next = putBlock(next, event, { message, source, finished: true });
    message.needsItem = true;
  }
  const rest = openBlock(message.splitter);
  if (rest.trim() !== '') {
    next = putBlock(next, event, { message, source: rest, finished: false });
    message.needsItem = false;
  }
  return definitions === '' ? next : addDefinitions(next, event, { message, definitions });
}

function isLive(view: RunView, message: OpenMessage): boolean {
  return view.transcript.live !== null && view.transcript.live === message.places.at(-1);
}

interface Block {
  readonly message: OpenMessage;
  readonly source: string;
  readonly finished: boolean;
}

/** Shows the newest block of a message, in the item of the open block or in a new one. */
function putBlock(view: RunView, event: RunEventOf<'token'>, block: Block): RunView {
  const { message, source, finished } = block;
  const place = message.needsItem ? undefined : message.places.at(-1);
  const before = place === undefined ? undefined : view.transcript.items[place];
  if (place !== undefined && before?.kind === 'text') {
    const changed = replaceItem(view, event, { place, item: { ...before, source, finished } });
    return finished ? changed : setLive(changed, place);
  }
  const added = addItem(view, event, {
    kind: 'text',
    key: `text ${event.messageId} ${message.places.length}`,
    messageId: event.messageId,
    source,
    finished,
    firstOfMessage: message.places.length === 0,
    definitions: message.definitions,
  });
  const last = added.transcript.items.length - 1;
  message.places.push(last);
  return finished ? added : setLive(added, last);
}

/** Definitions may follow the text that refers to them, so blocks with brackets get them later. */
function addDefinitions(
  view: RunView,
  event: RunEventOf<'token'>,
  { message, definitions }: { readonly message: OpenMessage; readonly definitions: string },
): RunView {
  message.definitions += definitions;
  let next = view;
  for (const place of message.places) {
    const item = next.transcript.items[place];
    if (item?.kind !== 'text' || !item.source.includes(']')) continue;
    const changed = { ...item, definitions: message.definitions };
    next = replaceItem(next, event, { place, item: changed });
  }
  return next;
}

function reduceReasoning(view: RunView, event: RunEventOf<'reasoning'>): RunView {
  const key = `reasoning ${event.messageId}`;
  const found = findItem(view, 'reasoning', key);
  if (found !== null) {
    const next = view.transcript.live === found.place ? view : settle(view, event);
    const item = { ...found.item, text: found.item.text + event.text, endedAt: null };
    return setLive(replaceItem(next, event, { place: found.place, item }), found.place);
  }
  const next = addItem(settle(view, event), event, {
    kind: 'reasoning',
    key,
    messageId: event.messageId,
    text: event.text,
    startedAt: event.at,
    endedAt: null,
  });
  return setLive(next, next.transcript.items.length - 1);
}
