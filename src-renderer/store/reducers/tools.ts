import type { RunEventOf } from '#contract/events/run-event.ts';
import type { RunView } from '../run-view.ts';
import { changeTool, setActivity, settle } from '../transcript.ts';
import { noteStepCall } from './planning.ts';
import { skillOf } from './skills.ts';

type ToolEvent = RunEventOf<'tool_call' | 'tool_result'>;

export function reduceTools(view: RunView, event: ToolEvent): RunView {
  const settled = settle(view, event);
  const next = event.type === 'tool_call' ? noteStepCall(settled, event) : settled;
  switch (event.type) {
    case 'tool_call': {
      const { toolCallId, name, risk } = event;
      const change = {
        toolCallId,
        name,
        risk,
        arguments: event.arguments,
        ...skillOf(next, event),
      };
      const running = changeTool(next, event, {
        ...change,
        status: 'running',
        startedAt: event.at,
      });
      return setActivity(running, event, 'tool');
    }
    case 'tool_result': {
      const { toolCallId, name, status, content, durationMs } = event;
      const ended = changeTool(next, event, {
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
    }
  }
}
