import type { LocalVoice, Speech } from '../bridge/speech.ts';
import type { AppState } from './app-state.ts';
import { openThreadId } from './selectors.ts';
import { createStore, type Store } from './store.ts';

/** What can be read aloud, and what is. */
export interface ReadAloudState {
  /** Only those of this computer. */
  readonly voices: readonly LocalVoice[];
  /** The run whose answer is being read. */
  readonly reading: string | null;
}

/** Reads answers aloud, one at a time, with the voices of this computer. */
export interface ReadAloud {
  readonly state: Store<ReadAloudState>;
  /** Reads texts one after the other, until they are over, or their task is left. Stops what is being read. */
  start(answer: SpokenAnswer): void;
  stop(): void;
  dispose(): void;
}

/** An answer as texts to be read in a language. */
export interface SpokenAnswer {
  readonly runId: string;
  readonly threadId: string;
  readonly texts: readonly string[];
  readonly language: string;
}

export function createReadAloud(
  app: Store<AppState>,
  speech: Speech | null,
  onFailed: () => void,
): ReadAloud {
  const state = createStore<ReadAloudState>({ voices: speech?.voices() ?? [], reading: null });
  let stopReading: (() => void) | null = null;
  let threadId: string | null = null;

  const end = (): void => {
    stopReading = null;
    state.update((now) => ({ ...now, reading: null }));
  };
  const stop = (): void => {
    if (stopReading === null) return;
    stopReading();
    end();
  };
  const stopVoices = speech?.onVoices(() =>
    state.update((now) => ({ ...now, voices: speech.voices() })),
  );
  const stopFollowing = app.subscribe(() => {
    if (stopReading !== null && openThreadId(app.get()) !== threadId) stop();
  });
  return {
    state,
    stop,
    start: (answer) => {
      stop();
      const voice = voiceFor(state.get().voices, answer.language);
      if (speech === null || voice === null || openThreadId(app.get()) !== answer.threadId) return;
      threadId = answer.threadId;
      state.update((now) => ({ ...now, reading: answer.runId }));
      stopReading = () => undefined;
      const stopThis = speech.read(answer.texts, voice.id, (how) => {
        end();
        if (how === 'failed') onFailed();
      });
      // It may be over already.
      if (state.get().reading !== null) stopReading = stopThis;
    },
    dispose: () => {
      stop();
      stopVoices?.();
      stopFollowing();
    },
  };
}

/** Closest first, of the same language. Mandarin is what `zh` alone means. */
const CHINESE = ['zh-CN', 'zh-Hans-CN', 'zh-Hans', 'zh', 'zh-SG', 'zh-TW', 'zh-Hant-TW'];

/**
 * The voice for a language; null where none can read it. A text in letters is read by the system's usual voice where
 * its language has none: that is most likely the one that the user reads.
 */
export function voiceFor(voices: readonly LocalVoice[], language: string): LocalVoice | null {
  const [base = ''] = language.toLowerCase().split('-');
  const same = voices.filter((voice) => voice.language.toLowerCase().split('-')[0] === base);
  if (base === 'zh') {
    const rank = (voice: LocalVoice): number => {
      const place = CHINESE.indexOf(voice.language);
      return place === -1 ? CHINESE.length : place;
    };
    return same.toSorted((a, b) => rank(a) - rank(b))[0] ?? null;
  }
  const usual = (of: readonly LocalVoice[]): LocalVoice | null =>
    of.find(({ isDefault }) => isDefault) ?? of[0] ?? null;
  return usual(same) ?? usual(voices);
}
