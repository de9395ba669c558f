import type { RunEventDraft } from '#contract/events/run-event.ts';

/** Most UTF-16 units of text in one streamed event: a window can always draw one in a frame. */
export const MAX_EVENT_TEXT = 64 * 1024;

type StreamedDraft = Extract<
  RunEventDraft,
  { type: 'token' | 'reasoning' | 'terminal_output' | 'terminal_error' }
>;

function isStreamed(draft: RunEventDraft): draft is StreamedDraft {
  return (
    draft.type === 'token' ||
    draft.type === 'reasoning' ||
    draft.type === 'terminal_output' ||
    draft.type === 'terminal_error'
  );
}

/** `next` joined to `last` where they are pieces of one stream side by side; else null. */
export function joinDrafts(last: RunEventDraft, next: RunEventDraft): RunEventDraft | null {
  if (!isStreamed(last) || !isStreamed(next)) return null;
  if (last.text.length + next.text.length > MAX_EVENT_TEXT) return null;
  return isContinuation(last, next) ? { ...last, text: last.text + next.text } : null;
}

function isContinuation(last: StreamedDraft, next: StreamedDraft): boolean {
  if (last.type === 'token' || last.type === 'reasoning') {
    return next.type === last.type && next.messageId === last.messageId;
  }
  return (
    next.type === last.type &&
    next.commandId === last.commandId &&
    next.offset === last.offset + last.text.length
  );
}

/** A draft in pieces of bounded text: none for an empty piece of a stream, itself when it fits. */
export function splitDraft(draft: RunEventDraft): readonly RunEventDraft[] {
  if (!isStreamed(draft)) return [draft];
  const { text } = draft;
  if (text.length === 0) return [];
  if (text.length <= MAX_EVENT_TEXT) return [draft];
  const pieces: RunEventDraft[] = [];
  for (let start = 0; start < text.length; ) {
    const end = cutPoint(text, start + MAX_EVENT_TEXT);
    const piece = text.slice(start, end);
    pieces.push(
      'offset' in draft
        ? { ...draft, offset: draft.offset + start, text: piece }
        : { ...draft, text: piece },
    );
    start = end;
  }
  return pieces;
}

/** `at`, or one less where it would part the two halves of a character. */
function cutPoint(text: string, at: number): number {
  if (at >= text.length) return text.length;
  const before = text.charCodeAt(at - 1);
  return before >= 0xd800 && before <= 0xdbff ? at - 1 : at;
}
