import type { Reducers } from '../run-view.ts';
import { changeTool, setActivity, settle } from '../transcript.ts';
import { noteStepCall } from './planning.ts';
import { skillOf } from './skills.ts';

export const toolReducers = {
  tool_call: (view, event) => {
    const next = noteStepCall(settle(view, event), event);
    const { toolCallId, name, risk } = event;
    const running = changeTool(next, event, {
      toolCallId,
      name,
      risk,
      arguments: event.arguments,
      ...skillOf(next, event),
      status: 'running',
      startedAt: event.at,
    });
    return setActivity(running, event, 'tool');
  },
  tool_result: (view, event) => {
    const { toolCallId, name, status, content, durationMs } = event;
    const ended = changeTool(settle(view, event), event, {
      toolCallId,
      name,
      status,
      content,
      durationMs,
      endedSeq: event.seq,
      sandboxLevel: event.sandboxLevel ?? null,
      omittedChars: event.omittedChars ?? 0,
      findings: (event.findings ?? []).map(({ message }) => message),
      errorCode: event.errorCode ?? null,
    });
    return setActivity(ended, event, 'model');
  },
} satisfies Partial<Reducers>;
