import { expect, it } from 'vitest';
import { setThinking, showContext } from '#main/cli/commands/models.ts';
import { settingsCommand } from '../../fakes/settings-command.ts';

it('shows how long conversations are fitted to the window, and changes it permanently', async () => {
  const { dataDir, environment, take } = settingsCommand();
  const usual = {
    ...{ contextWindow: null, compression: true },
    ...{ compressionThreshold: 60_000, compressionKeep: 10 },
  };
  await showContext({ dataDir, json: true }, environment);
  expect(JSON.parse(take())).toEqual(usual);
  await showContext({ dataDir, threshold: 20_000, keep: 4 }, environment);
  expect(take()).toContain('above 20,000 tokens, or earlier in a smaller window. The newest 4 are');
  await showContext({ dataDir, compression: 'off' }, environment);
  take();
  await showContext({ dataDir, json: true }, environment);
  expect(JSON.parse(take())).toEqual({
    ...usual,
    ...{ compression: false, compressionThreshold: 20_000, compressionKeep: 4 },
  });
  await expect(showContext({ dataDir, threshold: 5 }, environment)).rejects.toMatchObject({
    code: 'BAD_REQUEST',
  });
});

it('switches the thinking of a model off and on, and leaves it to the model again', async () => {
  const { dataDir, environment, take } = settingsCommand();
  const model = { provider: 'ollama', name: 'qwen3:8b' };
  const set = async (state?: 'on' | 'off' | 'auto'): Promise<unknown> => {
    await setThinking({ model, state }, { dataDir, json: true }, environment);
    return (JSON.parse(take()) as { thinking: unknown }).thinking;
  };
  expect([await set(), await set('off'), await set(), await set('on'), await set('auto')]).toEqual([
    ...[null, false, false, true, null],
  ]);
  await setThinking({ model, state: 'off' }, { dataDir }, environment);
  expect(take()).toBe('ollama:qwen3:8b is asked not to think.\n');
});
