import { defined } from '#contract/defined.ts';
import type { RunEventOf } from '#contract/events/run-event.ts';
import type { Answer, Reducers, RunView, ToolItem, ToolStatus } from '../run-view.ts';
import {
  addItem,
  changeTool,
  findCall,
  findItem,
  replaceItem,
  setActivity,
  settle,
} from '../transcript.ts';

export const hitlReducers = {
  interrupt: (view, event) => ask(settle(view, event), event),
  interrupt_response: recordAnswer,
} satisfies Partial<Reducers>;

function ask(view: RunView, event: RunEventOf<'interrupt'>): RunView {
  const open = new Map(view.questions.open).set(event.interruptId, event);
  const updated = { ...view, questions: { version: event.seq, open } };
  const shown =
    event.toolCallId === undefined
      ? addItem(updated, event, {
          kind: 'question',
          key: `question ${event.interruptId}`,
          question: event,
          answer: null,
        })
      : changeTool(
          updated,
          event,
          defined({
            toolCallId: event.toolCallId,
            name: event.toolName,
            arguments: readArguments(event.argumentsText),
            question: event,
            status: 'waiting',
          }),
        );
  return setActivity(shown, event, 'waiting');
}

/** A call that waits for approval is not in the log yet; its arguments are in the question. */
function readArguments(text: string | undefined): Readonly<Record<string, unknown>> | undefined {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>;
  } catch {
    // The question itself shows the text as it is.
    return {};
  }
}

function recordAnswer(view: RunView, event: RunEventOf<'interrupt_response'>): RunView {
  const question = view.questions.open.get(event.interruptId);
  if (question === undefined) return view;
  const open = new Map(view.questions.open);
  open.delete(event.interruptId);
  const closed = { ...view, questions: { version: event.seq, open } };
  const answer: Answer = { response: event.response, by: event.by };
  const shown =
    question.toolCallId === undefined
      ? answerItem(closed, event, answer)
      : changeTool(closed, event, {
          toolCallId: question.toolCallId,
          answer,
          status: statusOf(findCall(closed, question.toolCallId), event),
        });
  return setActivity(shown, event, open.size > 0 ? 'waiting' : 'tool');
}

/** A call that is in the log goes on; one that was asked about first begins with its own event. */
function statusOf(
  call: ToolItem | null,
  { response }: RunEventOf<'interrupt_response'>,
): ToolStatus {
  if (call !== null && call.risk !== null) return 'running';
  return response.action === 'deny' ? 'denied' : 'approved';
}

function answerItem(
  view: RunView,
  event: RunEventOf<'interrupt_response'>,
  answer: Answer,
): RunView {
  const found = findItem(view, 'question', `question ${event.interruptId}`);
  if (found === null) return view;
  const item = { ...found.item, answer };
  return replaceItem(view, event, { place: found.place, item });
}
