import type { RunEventDraft } from '#contract/events/run-event.ts';

/** The longest text of one streamed event, in UTF-16 units: a window can draw it within a frame. */
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

/** `next` joined to `last` if they are adjacent pieces of one stream; otherwise null. */
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

/** A draft split into pieces of bounded text: none if its text is empty, the draft itself if it fits. */
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

/** `at`, or one less if it would split a surrogate pair. */
function cutPoint(text: string, at: number): number {
  if (at >= text.length) return text.length;
  const before = text.charCodeAt(at - 1);
  return before >= 0xd800 && before <= 0xdbff ? at - 1 : at;
}
