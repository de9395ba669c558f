import type { RunEventDraft } from '#contract/events/run-event.ts';
import { delay } from '#main/base/abort.ts';
import type { Play, Stage } from './fake-runs.ts';

const complete = (answer: string): RunEventDraft => ({
  type: 'complete',
  outcome: 'completed',
  answer,
  durationMs: 5,
  rounds: 1,
  toolCalls: 0,
});

const token = (text: string): RunEventDraft => ({ type: 'token', messageId: 'm1', text });

/** Plays by the first word of the prompt; the rest of the prompt is its argument. */
export const playScripts: Play = async (stage) => {
  const [name = '', argument = ''] = stage.run.prompt.trim().split(' ', 2);
  const play = PLAYS[name];
  if (play === undefined) throw new Error(`No play is called ${name}`);
  return play(stage, argument);
};

type Scripted = (stage: Stage, argument: string) => ReturnType<Play>;

const PLAYS: Readonly<Record<string, Scripted>> = {
  hello: async ({ emit }) => {
    emit(token('Hello '), token('there.'), complete('Hello there.'));
    return 'completed';
  },
  /** Prints what could drive a terminal. */
  hostile: async ({ emit }) => {
    emit(
      token('a\u001b]0;title\u0007b\u001b[2Jc\u202ed'),
      {
        type: 'terminal_output',
        commandId: 'c1',
        offset: 0,
        text: '\u001b[31mred\u001b[0m\rnext\n',
      },
      complete(''),
    );
    return 'completed';
  },
  fail: async ({ emit }) => {
    emit({ type: 'error', code: 'MODEL_STALLED', message: 'The model said nothing.', details: {} });
    return 'failed';
  },
  hang: async ({ emit, signal }) => {
    emit(token('working'));
    await delay(60_000, signal);
    return 'completed';
  },
  /** Does not listen to a cancel. */
  deaf: async ({ emit }) => {
    emit(token('working'));
    await delay(60_000, new AbortController().signal);
    return 'completed';
  },
  /** So many events of half a kilobyte each. */
  many: async ({ emit, signal }, argument) => {
    const count = Number(argument);
    const padding = '.'.repeat(500);
    for (let i = 0; i < count; i += 1) {
      emit(token(`${i} ${padding}`));
      if (i % 1000 === 999) await new Promise((resolve) => setImmediate(resolve));
      signal.throwIfAborted();
    }
    emit(complete('done'));
    return 'completed';
  },
  /** Half a kilobyte after another, more than a pipe holds, until somebody stops it. */
  endless: async ({ emit, signal }) => {
    const padding = '.'.repeat(500);
    for (;;) {
      for (let i = 0; i < 100; i += 1) emit(token(padding));
      await new Promise((resolve) => setTimeout(resolve, 10));
      signal.throwIfAborted();
    }
  },
  approve: async ({ emit, approve }) => {
    const response = await approve('{"command":"rm -r \u202edata"}');
    emit(token(`${response.action}`), complete(response.action));
    return 'completed';
  },
};
