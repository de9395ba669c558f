import { describe, expect, it } from 'vitest';
import type { LocalVoice, Speech } from '#renderer/bridge/speech.ts';
import { type AppState, initialState } from '#renderer/store/app-state.ts';
import { createReadAloud, voiceFor } from '#renderer/store/read-aloud.ts';
import { createStore } from '#renderer/store/store.ts';

const voice = (language: string, isDefault = false): LocalVoice => ({
  ...{ id: `voice ${language}`, language, isDefault },
});

describe('the voice for a text', () => {
  it.each<readonly [string, readonly LocalVoice[], string | null]>([
    ['en', [], null],
    ['en', [voice('de'), voice('en-GB'), voice('en-US', true)], 'en-US'],
    ['en', [voice('fr', true), voice('en-GB')], 'en-GB'],
    ['en', [voice('fr'), voice('de', true)], 'de'],
    ['zh', [voice('en', true)], null],
    ['zh', [voice('zh-HK'), voice('zh-TW'), voice('zh-CN')], 'zh-CN'],
    ['zh-Hans', [voice('zh-HK')], 'zh-HK'],
    ['zh', [voice('zhx')], null],
  ])('%s of %j', (language, voices, wanted) => {
    expect(voiceFor(voices, language)?.language ?? null).toBe(wanted);
  });
});

describe('reading aloud', () => {
  const opened = () => {
    const app = createStore<AppState>({
      ...initialState('open'),
      route: { kind: 'task', threadId: 't' },
    });
    const log: string[] = [];
    let end: (how: 'done' | 'failed') => void = () => undefined;
    let changed = (): void => undefined;
    const voices = [voice('en')];
    const speech: Speech = {
      voices: () => [...voices],
      onVoices: (listener) => {
        changed = listener;
        return () => log.push('unheard');
      },
      read: (texts, voiceId, onEnd) => {
        log.push(`read ${texts.join('|')} by ${voiceId}`);
        end = onEnd;
        return () => log.push('stopped');
      },
    };
    const reader = createReadAloud(app, speech, () => log.push('failed'));
    const start = (runId: string, language = 'en') =>
      reader.start({ runId, threadId: 't', texts: ['a', 'b'], language });
    return {
      ...{ app, log, reader, start, voices },
      end: (how: 'done' | 'failed') => end(how),
      changed: () => changed(),
      reading: () => reader.state.get().reading,
    };
  };

  it('reads one answer at a time, to its end', () => {
    const { log, start, reading, end } = opened();
    start('r1');
    expect([reading(), log]).toEqual(['r1', ['read a|b by voice en']]);
    start('r2');
    expect([reading(), log.slice(1)]).toEqual(['r2', ['stopped', 'read a|b by voice en']]);
    end('done');
    expect([reading(), log.length]).toEqual([null, 3]);
    start('r2');
    end('failed');
    expect([reading(), log.at(-1)]).toEqual([null, 'failed']);
  });

  it('stops where its task is left, and not for other changes', () => {
    const { app, log, start, reading } = opened();
    start('r1');
    app.update((state) => ({ ...state, search: 'x' }));
    expect(reading()).toBe('r1');
    app.update((state) => ({ ...state, route: { kind: 'task', threadId: 'other' } }));
    expect([reading(), log.at(-1)]).toEqual([null, 'stopped']);
    // Too late: its task is not on the screen any more.
    start('r1');
    expect([reading(), log.at(-1)]).toEqual([null, 'stopped']);
  });

  it('knows voices that come later, and reads nothing without one', () => {
    const { reader, log, start, voices, changed } = opened();
    start('r1', 'zh');
    expect(log).toEqual([]);
    voices.push(voice('zh-CN'));
    changed();
    start('r1', 'zh');
    expect(log).toEqual(['read a|b by voice zh-CN']);
    reader.dispose();
    expect([reader.state.get().reading, log.slice(1)]).toEqual([null, ['stopped', 'unheard']]);
    const mute = createReadAloud(createStore(initialState('open')), null, () => undefined);
    expect(mute.state.get()).toEqual({ voices: [], reading: null });
  });
});
