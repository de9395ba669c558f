import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Message, Run } from '#contract/entities.ts';
import type { RunEvent } from '#contract/events/run-event.ts';
import { withoutSecretKinds } from '../base/secret-kinds.ts';

/** A part of a conversation, as it is exported. */
export type ConversationBlock =
  | { readonly kind: 'user'; readonly text: string; readonly files: readonly string[] }
  /** A text of the model, in Markdown. */
  | { readonly kind: 'answer'; readonly markdown: string }
  | {
      readonly kind: 'call';
      readonly name: string;
      /** What it was called with, on one line. */
      readonly subject: string;
      readonly arguments: string;
      readonly output: string;
    }
  | {
      readonly kind: 'picture';
      /** In the workspace, as it is read. */
      readonly path: string;
      /** The same, as it is shown. */
      readonly name: string;
      readonly alt: string;
    }
  | { readonly kind: 'problem'; readonly text: string };

export interface Conversation {
  readonly title: string;
  readonly blocks: readonly ConversationBlock[];
}

export interface ConversationSource {
  readonly title: string;
  /** Oldest first. */
  readonly runs: readonly Run[];
  readonly messages: readonly Message[];
  readonly eventsOf: (runId: string) => Iterable<RunEvent>;
  /** Removes known secrets. */
  readonly clean: (text: string) => string;
}

const CALL_CHARS = 20_000;
const PAUSE_AFTER_MS = 8;

/** A task as a conversation, without secrets: exports are meant to be shared. Thinking is left out. */
export async function collectConversation(source: ConversationSource): Promise<Conversation> {
  const clean = (text: string): string => withoutSecretKinds(source.clean(text));
  const pause = pauses();
  const blocks: ConversationBlock[] = [];
  for (const run of source.runs) {
    const turn = source.messages.find(({ runId, role }) => runId === run.id && role === 'user');
    const user: ConversationBlock[] =
      turn === undefined
        ? []
        : [{ kind: 'user', text: turn.content, files: turn.attachments.map(({ name }) => name) }];
    for (const block of [...user, ...(await blocksOf(source.eventsOf(run.id), pause))]) {
      blocks.push(cleaned(block, clean));
      await pause();
    }
  }
  return { title: clean(source.title), blocks };
}

/** Lets other work of the main thread run, now and then. */
export function pauses(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < PAUSE_AFTER_MS) return;
    await nextTurn();
    since = performance.now();
  };
}

type Growing = { -readonly [Key in keyof ConversationBlock]: ConversationBlock[Key] };
type Answer = Extract<ConversationBlock, { kind: 'answer' }>;
type Call = Extract<ConversationBlock, { kind: 'call' }>;

/** In the order in which they began. */
async function blocksOf(
  events: Iterable<RunEvent>,
  pause: () => Promise<void>,
): Promise<ConversationBlock[]> {
  const blocks: ConversationBlock[] = [];
  const places = new Map<string, number>();
  const change = <Kind extends Growing['kind']>(
    key: string,
    next: (before: Extract<ConversationBlock, { kind: Kind }> | undefined) => ConversationBlock,
  ): void => {
    const place = places.get(key) ?? blocks.length;
    places.set(key, place);
    blocks[place] = next(blocks[place] as Extract<ConversationBlock, { kind: Kind }> | undefined);
  };
  for (const event of events) {
    await pause();
    switch (event.type) {
      case 'token':
        change<'answer'>(`text ${event.messageId}`, (before) => ({
          kind: 'answer',
          markdown: (before?.markdown ?? '') + event.text,
        }));
        break;
      case 'tool_call':
        change<'call'>(`call ${event.toolCallId}`, (): Call => {
          const text = describeArguments(event.arguments);
          const [subject = ''] = text.split('\n').filter((line) => line.trim() !== '');
          const output = '';
          return { kind: 'call', name: event.name, subject, arguments: text, output };
        });
        break;
      case 'tool_result':
        change<'call'>(`call ${event.toolCallId}`, (before) => ({
          ...(before ?? { kind: 'call', name: event.name, subject: '', arguments: '' }),
          output: event.content,
        }));
        break;
      case 'image':
        blocks.push({ kind: 'picture', path: event.path, name: event.path, alt: event.alt });
        break;
      case 'complete': {
        const last = blocks.findLast((block): block is Answer => block.kind === 'answer');
        const isShown = last?.markdown.trim() === event.answer.trim() || event.answer.trim() === '';
        if (!isShown) blocks.push({ kind: 'answer', markdown: event.answer });
        break;
      }
      case 'error':
        blocks.push({ kind: 'problem', text: event.message });
        break;
      default:
        break;
    }
  }
  return blocks;
}

function describeArguments(values: Readonly<Record<string, unknown>>): string {
  return Object.values(values)
    .map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
    .join('\n');
}

function cleaned(block: ConversationBlock, clean: (text: string) => string): ConversationBlock {
  switch (block.kind) {
    case 'user':
      return { ...block, text: clean(block.text), files: block.files.map(clean) };
    case 'answer':
      return { ...block, markdown: clean(block.markdown) };
    case 'call': {
      // Shortened afterwards: half a secret is not recognised.
      const short = (text: string): string => clean(text).slice(0, CALL_CHARS);
      return {
        ...block,
        name: clean(block.name),
        subject: short(block.subject),
        arguments: short(block.arguments),
        output: short(block.output),
      };
    }
    case 'picture':
      return { ...block, name: clean(block.name), alt: clean(block.alt) };
    case 'problem':
      return { ...block, text: clean(block.text) };
  }
}
