import { describe, expect, it } from 'vitest';
import { startedPull } from '#contract/models.ts';
import { foldEvents } from '#renderer/store/fold-events.ts';
import { emptyRunView } from '#renderer/store/run-view.ts';
import { createSession } from '#renderer/store/session.ts';
import { CSV_RUN } from '../fakes/csv-run.ts';
import { FakeBridge } from '../fakes/fake-bridge.ts';
import { fakeState } from '../fakes/fake-state.ts';
import { log } from './events.ts';

const MODEL = { provider: 'ollama', name: 'qwen3:8b' };

describe('changes to a conversation', () => {
  it('stay in the chat, unlike other stages; prefix hits and misses are counted', () => {
    const stage = { type: 'stage', agent: 'executor' } as const;
    const usage = { type: 'usage', model: 'm', durationMs: 1, promptTokens: 10 } as const;
    const view = foldEvents(
      emptyRunView('run'),
      log([
        { ...stage, name: 'context', status: 'running', description: 'Summarising' },
        { ...stage, name: 'context', status: 'completed', description: 'Summarised 4 messages' },
        { ...stage, name: 'model_loading', status: 'running', description: 'Loading' },
        { ...stage, name: 'model_loading', status: 'completed', description: 'It answers' },
        { ...usage, round: 1, prefix: { hit: true, bytes: 0 } },
        { ...usage, round: 2, prefix: { hit: false, bytes: 812 } },
      ]),
    );
    const notes = view.transcript.items.flatMap((item) =>
      item.kind === 'note' ? [item.title] : [],
    );
    expect([notes, view.activity.stage, view.usage.costs]).toEqual([
      ['Summarised 4 messages'],
      null,
      {
        ...{ requests: 2, promptTokens: 20, completionTokens: 0, prefixHits: 1 },
        prefixMisses: [{ round: 2, byte: 812 }],
      },
    ]);
  });
});

it('requests outside of a conversation count as usage, but not towards its context window', () => {
  const usage = { type: 'usage', durationMs: 1, round: 1 } as const;
  const view = foldEvents(
    emptyRunView('run'),
    log([
      { ...usage, model: 'm', promptTokens: 900, contextWindow: 4096 },
      { ...usage, model: 'flash', promptTokens: 10 },
    ]),
  );
  expect([view.usage.last?.promptTokens, view.usage.costs.promptTokens]).toEqual([900, 910]);
});

describe('managing models', () => {
  async function openSession() {
    const bridge = new FakeBridge(fakeState(1), CSV_RUN, 0);
    const session = createSession({
      bridge: Object.assign(bridge, {
        connection: { state: () => 'open' as const, onChange: () => () => undefined },
      }),
      schedule: (callback) => callback(),
    });
    await session.start(null);
    return { session, bridge };
  }

  it('follows a model check task by task, and keeps the report card', async () => {
    const { session } = await openSession();
    await session.models.check(MODEL);
    const { modelCheck, profiles } = session.store.get();
    expect([modelCheck?.running, modelCheck?.items.map(({ outcome }) => outcome)]).toEqual([
      false,
      ['passed', 'failed', 'skipped'],
    ]);
    expect(profiles.get('ollama:qwen3:8b')?.reportCard?.tiers).toEqual(['pro', 'flash']);
  });

  it('follows a pull that any window started', async () => {
    const { session, bridge } = await openSession();
    const pull = { ...startedPull(MODEL), completedBytes: 5, totalBytes: 10 };
    bridge.push({ kind: 'model_pull', pull });
    bridge.push({ kind: 'model_pull', pull: { ...pull, status: 'failed', problem: 'No space' } });
    expect([...session.store.get().pulls.values()].map(({ problem }) => problem)).toEqual([
      'No space',
    ]);
  });

  it('gives consent for one cloud model, and keeps the consents of others', async () => {
    const { session } = await openSession();
    await session.models.allowCloud(MODEL);
    await session.models.allowCloud(MODEL);
    expect(session.store.get().settings?.cloudConsents).toEqual(['ollama:qwen3:8b']);
  });
});
