import { expect, it } from 'vitest';
import { AppError } from '#contract/errors.ts';
import { SharedApp } from '#main/cli/shared-app.ts';
import type { App } from '#main/compose/app.ts';

/** Opens apps that only know whether they own the folder, and notes what is opened and closed. */
function bench({ isInUse = false } = {}) {
  const log: string[] = [];
  const runs = new Map<string, PromiseWithResolvers<void>>();
  const apps = new SharedApp(async (secondary) => {
    const kind = secondary ? 'beside' : 'owner';
    await new Promise((resolve) => setTimeout(resolve, 5));
    if (isInUse && !secondary) throw new AppError('DATA_DIR_IN_USE', 'It is in use.');
    log.push(`${kind} opened`);
    return {
      kind,
      runs: { settled: (id: string) => runs.get(id)?.promise },
      [Symbol.asyncDispose]: () => {
        log.push(`${kind} closed`);
        return Promise.resolve();
      },
    } as unknown as App;
  });
  const kindOf = (app: App) => Promise.resolve((app as unknown as { kind: string }).kind);
  return { apps, log, runs, kindOf };
}

it('has the folder while it works or a run is active, and no longer', async () => {
  const { apps, log, runs, kindOf } = bench();
  runs.set('run_1', Promise.withResolvers());
  await apps.owning((app) => {
    apps.keepFor(app, 'run_1');
    return kindOf(app);
  });
  expect(await apps.reading(kindOf)).toBe('owner');
  expect(await Promise.all([apps.owning(kindOf), apps.attached(kindOf)])).toEqual([
    ...['owner', 'owner'],
  ]);
  expect(log).toEqual(['owner opened']);
  runs.get('run_1')?.resolve();
  await expect.poll(() => log).toEqual(['owner opened', 'owner closed']);
  expect(await apps.reading(kindOf)).toBe('beside');
  expect(await apps.owning(kindOf)).toBe('owner');
  expect(log.slice(2)).toEqual([
    ...['beside opened', 'beside closed', 'owner opened', 'owner closed'],
  ]);
});

it('reads and answers beside another owner, also while it is being asked for the folder', async () => {
  const { apps, log, kindOf } = bench({ isInUse: true });
  const refused = expect(apps.owning(kindOf)).rejects.toMatchObject({ code: 'DATA_DIR_IN_USE' });
  expect(await apps.reading(kindOf)).toBe('beside');
  await refused;
  expect(await apps.attached(kindOf)).toBe('beside');
  expect(log).toEqual([...Array(2)].flatMap(() => ['beside opened', 'beside closed']));
});

it('gives the folder back where work fails, and with itself', async () => {
  const { apps, log, runs, kindOf } = bench();
  await expect(apps.owning(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(log).toEqual(['owner opened', 'owner closed']);
  runs.set('run_1', Promise.withResolvers());
  await apps.owning((app) => {
    apps.keepFor(app, 'run_1');
    return kindOf(app);
  });
  await apps[Symbol.asyncDispose]();
  expect(log.slice(2)).toEqual(['owner opened', 'owner closed']);
});
