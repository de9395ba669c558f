import type { RunEventDraft } from '#contract/events/run-event.ts';
import type { KnownSecrets, SecretStream } from '../base/known-secrets.ts';

type Printed = Extract<RunEventDraft, { type: 'terminal_output' | 'terminal_error' }>;

interface Stream {
  readonly clean: SecretStream;
  /** Offset of the next piece in the program's own output. */
  expected: number;
  /** Offset of the next piece in the cleaned output. */
  offset: number;
}

/**
 * Removes known secrets from everything a run emits, before it is stored or shown. Program output arrives in
 * pieces and is searched as one text; answers of models were already cleaned as they arrived.
 */
export class CleanDrafts {
  readonly #secrets: KnownSecrets;
  readonly #streams = new Map<string, Stream>();

  constructor(secrets: KnownSecrets) {
    this.#secrets = secrets;
  }

  /** The cleaned draft, preceded by output that had to wait. */
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
    const before = isAfterGap ? draftsOf(stream, draft, stream.clean.end()) : [];
    stream.offset += offset - stream.expected;
    stream.expected = offset + draft.text.length;
    return [...before, ...draftsOf(stream, draft, stream.clean.push(draft.text))];
  }

  #end(commandId: string): RunEventDraft[] {
    return (['terminal_output', 'terminal_error'] as const).flatMap((type) => {
      const key = keyOf(type, commandId);
      const stream = this.#streams.get(key);
      this.#streams.delete(key);
      const draft: Printed = { type, commandId, offset: 0, text: '' };
      return stream === undefined ? [] : draftsOf(stream, draft, stream.clean.end());
    });
  }
}

function draftsOf(stream: Stream, draft: Printed, text: string): RunEventDraft[] {
  if (text === '') return [];
  const { offset } = stream;
  stream.offset += text.length;
  return [{ ...draft, offset, text }];
}

function keyOf(type: Printed['type'], commandId: string): string {
  return `${type} ${commandId}`;
}
