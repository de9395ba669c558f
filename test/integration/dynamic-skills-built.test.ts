import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { appRoot } from '#main/app-root.ts';
import { DynamicCatalogue } from '#main/skills/dynamic/dynamic-catalogue.ts';
import { SkillThreads } from '#main/skills/dynamic/skill-threads.ts';
import { startDirectedModel } from '../fakes/directed-model.ts';
import { skillSource } from '../fakes/dynamic-skill-source.ts';
import { openData } from '../fakes/open-data.ts';
import { ensureBuilt, eventsOf, runTerminal } from '../setup/built-app.ts';

/** What is packed, in a folder of its own: no sources, and no package but the one that is not bundled. */
function unpacked(): string {
  ensureBuilt();
  const folder = mkdtempSync(join(tmpdir(), 'hyperagent-packed-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const part of ['out', 'resources', 'package.json']) {
    cpSync(join(appRoot(), part), join(folder, part), { recursive: true });
  }
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(
    join(appRoot(), 'node_modules', 'better-sqlite3'),
    join(folder, 'node_modules', 'better-sqlite3'),
  );
  return folder;
}

it('the built app finds the thread, the engine and the stripper of types, without its sources', async () => {
  const folder = unpacked();
  const dataDir = mkdtempSync(join(tmpdir(), 'hyperagent-packed-data-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  await using model = await startDirectedModel(({ results }) =>
    results.length > 0
      ? { content: 'That is all.' }
      : { calls: [{ name: 'invoke_skill', arguments: { skill_id: 'probe' } }] },
  );
  const stores = openData(dataDir);
  await using threads = new SkillThreads(appRoot());
  const root = appRoot();
  const catalogue = new DynamicCatalogue({
    store: stores.skills,
    threads,
    root,
    isTaken: () => false,
  });
  const source = skillSource("const text: string = 'from ' + (6 * 7); return { text };");
  const id = await catalogue.save('typescript', source);
  const { sha256 } = await catalogue.review(id);
  await catalogue.approve(id, { sha256, capabilities: [] });
  stores.close();

  const result = await runTerminal(
    [
      ...['run', 'Do what the skill probe does.', '--model', 'ollama:x', '--base-url', model.url],
      ...['--json', '--sandbox', 'os', '--approve', 'all', '--data-dir', dataDir],
    ],
    { cli: join(folder, 'out', 'main', 'cli.js') },
  );
  expect(result.stderr).toBe('');
  expect(eventsOf(result.events(), 'skill_output')).toMatchObject([
    { skillId: 'probe', output: { text: 'from 42' } },
  ]);
});
