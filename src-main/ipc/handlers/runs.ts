import { EVENT_PAGE_SIZE } from '#contract/limits.ts';
import type { PushHub } from '../push-hub.ts';
import type { AppServices, RequestHandlers } from '../types.ts';

export function runHandlers(
  { runs }: AppServices,
  hub: Pick<PushHub, 'subscribe' | 'unsubscribe'>,
): Pick<
  RequestHandlers,
  | 'runs.start'
  | 'runs.cancel'
  | 'runs.get'
  | 'runs.events'
  | 'runs.subscribe'
  | 'runs.unsubscribe'
  | 'runs.respond'
  | 'runs.resume'
  | 'runs.pause'
  | 'runs.retry'
  | 'runs.fork'
  | 'runs.edit'
  | 'runs.review'
  | 'runs.export'
  | 'runs.import'
  | 'runs.waiting'
> {
  return {
    'runs.start': (input) => runs.start(input),
    'runs.cancel': async ({ runId }) => {
      await runs.cancel(runId);
      return {};
    },
    'runs.get': ({ runId }) => ({ run: runs.get(runId) }),
    'runs.events': ({ runId, afterSeq, limit }) => {
      const { lastSeq } = runs.get(runId);
      return { events: [...runs.events(runId, afterSeq, limit ?? EVENT_PAGE_SIZE)], lastSeq };
    },
    'runs.subscribe': ({ runId, afterSeq }, client) => {
      const run = runs.get(runId);
      hub.subscribe(client, runId, afterSeq);
      return { run };
    },
    'runs.unsubscribe': ({ runId }, client) => {
      hub.unsubscribe(client, runId);
      return {};
    },
    'runs.respond': async ({ runId, interruptId, response }) => {
      await runs.respond(runId, interruptId, response);
      return {};
    },
    'runs.resume': ({ runId }) => ({ run: runs.resume(runId) }),
    'runs.pause': ({ runId }) => {
      runs.pause(runId);
      return {};
    },
    'runs.retry': ({ runId }) => ({ run: runs.retry(runId) }),
    'runs.fork': ({ runId, seq }) => runs.fork(runId, seq),
    'runs.edit': ({ runId, prompt }) => runs.edit(runId, prompt),
    'runs.review': ({ runId, interruptId, argumentsText }) =>
      runs.review(runId, interruptId, argumentsText),
    'runs.export': ({ runId }) => runs.exportText(runId),
    'runs.import': ({ text }) => runs.importText(text),
    'runs.waiting': () => ({ questions: runs.waiting() }),
  };
}
