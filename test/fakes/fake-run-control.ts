import type { Run, Thread } from '#contract/entities.ts';
import type { RunEvent } from '#contract/events/run-event.ts';
import type { RequestInput, RequestName, RequestOutput } from '#contract/requests.ts';
import { FAKE_SHA } from './csv-run.ts';
import type { FakeState } from './fake-bridge.ts';

type Controls =
  | 'runs.pause'
  | 'runs.resume'
  | 'runs.retry'
  | 'runs.fork'
  | 'runs.edit'
  | 'runs.review'
  | 'runs.export'
  | 'runs.import'
  | 'runs.waiting'
  | 'rules.put'
  | 'rules.try';
type Handlers = {
  [Name in Controls & RequestName]: (input: RequestInput<Name>) => RequestOutput<Name>;
};

export interface FakeRunWorld {
  readonly state: () => FakeState;
  readonly run: (runId: string) => Run;
  readonly setRun: (runId: string, change: Partial<Run>) => Run;
  readonly log: (runId: string) => readonly RunEvent[];
  readonly start: (input: RequestInput<'runs.start'>) => RequestOutput<'runs.start'>;
}

/** What a window asks of runs beside starting and stopping them, as far as screens need it. */
export function fakeRunControl({ state, run, setRun, log, start }: FakeRunWorld): Handlers {
  const threadOf = (threadId: string): Thread => {
    const thread = state().threads.find(({ id }) => id === threadId);
    if (thread === undefined) throw new Error(`There is no task ${threadId}`);
    return thread;
  };
  const again = (runId: string, prompt: string, threadId?: string): RequestOutput<'runs.start'> =>
    start({
      ...(threadId === undefined ? {} : { threadId }),
      ...{ prompt, attachmentIds: [], options: run(runId).options },
    });
  return {
    'runs.pause': ({ runId }) => {
      setRun(runId, { status: 'paused' });
      return {};
    },
    'runs.resume': ({ runId }) => ({ run: setRun(runId, { status: 'running' }) }),
    'runs.retry': ({ runId }) => ({
      run: again(runId, run(runId).prompt, run(runId).threadId).run,
    }),
    'runs.fork': ({ runId }) => again(runId, run(runId).prompt),
    'runs.edit': ({ runId, prompt }) => again(runId, prompt),
    'runs.review': ({ argumentsText }) => ({
      argumentsText: JSON.stringify(JSON.parse(argumentsText)),
      argumentsSha256: FAKE_SHA,
      reasons: argumentsText.includes('rm -r') ? ['Deletes whole folders.'] : [],
    }),
    'runs.export': ({ runId }) => ({
      fileName: `${runId}.json`,
      text: JSON.stringify({ run: run(runId), events: log(runId) }),
    }),
    'runs.import': () => {
      const [first] = state().runs;
      if (first === undefined) throw new Error('There is nothing to take in');
      return { run: first, thread: threadOf(first.threadId) };
    },
    'runs.waiting': () => ({
      questions: state().runs.flatMap((one) => {
        const thread = state().threads.find(({ id }) => id === one.threadId);
        if (one.status !== 'waiting' || thread === undefined) return [];
        const asked = log(one.id).findLast((event) => event.type === 'interrupt');
        if (asked?.type !== 'interrupt') return [];
        const { type: _type, seq: _seq, at: askedAt, runId, ...question } = asked;
        const { id: threadId, title: threadTitle } = thread;
        return [{ runId, threadId, threadTitle, askedAt, ...question }];
      }),
    }),
    'rules.put': ({ ruleId, rule }) => {
      const made = { id: ruleId ?? `rule-${state().rules.length + 1}`, createdAt: 0, ...rule };
      state().rules = [made, ...state().rules.filter(({ id }) => id !== ruleId)];
      return { rule: made };
    },
    'rules.try': ({ rule }) => ({
      decided: rule.pattern.includes('*') ? 14 : 0,
      of: 200,
      examples: rule.pattern.includes('*') ? ['{"code":"print(1)","language":"python"}'] : [],
    }),
  };
}
