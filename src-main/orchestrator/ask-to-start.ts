import type { InterruptBroker } from '../hitl/types.ts';
import type { AskToStart } from './types.ts';

/** Puts a plan to the person; asked once for each run, and found again with its answer after a crash. */
export function createAskToStart(broker: Pick<InterruptBroker, 'ask'>): AskToStart {
  return async (steps, { runId, threadId, signal, pause, emit }) => {
    const response = await broker.ask(
      {
        subject: 'the plan',
        kind: 'confirm',
        title: 'Start with this plan?',
        message: `${steps.map((title, i) => `${i + 1}. ${title}`).join('\n')}\n\nIt can be changed in the Plan tab, now and while it is carried out.`,
        reasons: [],
        options: [],
      },
      { runId, threadId, emit, signal: AbortSignal.any([signal, pause]) },
    );
    return response.action === 'confirm';
  };
}
