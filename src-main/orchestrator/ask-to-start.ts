import type { InterruptBroker } from '../hitl/types.ts';
import type { AskToStart } from './types.ts';

/** Asks the user to approve a plan, once for each run. Question and answer survive a crash. */
export function createAskToStart(broker: Pick<InterruptBroker, 'ask'>): AskToStart {
  return async (steps, run) => {
    const response = await broker.ask(
      {
        subject: 'the plan',
        kind: 'confirm',
        title: 'Start with this plan?',
        message: `${steps.map((title, i) => `${i + 1}. ${title}`).join('\n')}\n\nYou can edit it in the Plan tab, now and while it runs.`,
        reasons: [],
        options: [],
      },
      run,
    );
    return response.action === 'confirm';
  };
}
