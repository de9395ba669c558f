import type { RunEventDraft } from '#contract/events/run-event.ts';
import type { KnownSecrets, SecretStream } from '../base/known-secrets.ts';

type Printed = Extract<RunEventDraft, { type: 'terminal_output' | 'terminal_error' }>;

interface Stream {
  readonly clean: SecretStream;
  /** Where the next piece is to begin, as the program counts and as it is told. */
  expected: number;
  offset: number;
}

/**
 * Takes known secrets out of all that a run says, before it is stored or shown. What a program prints
 * comes in pieces, and is looked at as one text; answers were cleaned where they came from.
 */
export class CleanDrafts {
  readonly #secrets: KnownSecrets;
  readonly #streams = new Map<string, Stream>();

  constructor(secrets: KnownSecrets) {
    this.#secrets = secrets;
  }

  /** The draft as it may be told, after what had to wait before it. */
  take(draft: RunEventDraft): RunEventDraft[] {
    switch (draft.type) {
      case 'terminal_output':
      case 'terminal_error':
        return this.#print(draft);
      case 'terminal_complete':
        return [...this.#end(draft.commandId), this.#secrets.value(draft)];
      default:
        return [this.#secrets.value(draft)];
    }
  }

  #print(draft: Printed): RunEventDraft[] {
    const { type, commandId, offset } = draft;
    const key = keyOf(type, commandId);
    const stream = this.#streams.get(key) ?? {
      ...{ clean: this.#secrets.stream(), expected: offset, offset },
    };
    this.#streams.set(key, stream);
    const isAfterGap = offset !== stream.expected;
    const before = isAfterGap ? give(stream, draft, stream.clean.end()) : [];
    stream.offset += offset - stream.expected;
    stream.expected = offset + draft.text.length;
    return [...before, ...give(stream, draft, stream.clean.push(draft.text))];
  }

  #end(commandId: string): RunEventDraft[] {
    return (['terminal_output', 'terminal_error'] as const).flatMap((type) => {
      const key = keyOf(type, commandId);
      const stream = this.#streams.get(key);
      this.#streams.delete(key);
      const draft: Printed = { type, commandId, offset: 0, text: '' };
      return stream === undefined ? [] : give(stream, draft, stream.clean.end());
    });
  }
}

function give(stream: Stream, draft: Printed, text: string): RunEventDraft[] {
  if (text === '') return [];
  const { offset } = stream;
  stream.offset += text.length;
  return [{ ...draft, offset, text }];
}

function keyOf(type: Printed['type'], commandId: string): string {
  return `${type} ${commandId}`;
}
