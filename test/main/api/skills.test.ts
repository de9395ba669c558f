import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { REQUESTS, type RequestName } from '#contract/requests.ts';
import { silentLogger } from '#main/base/logger.ts';
import type { DataStores } from '#main/storage/open-stores.ts';
import { RequestRouter } from '#main/transport/request-router.ts';
import { createFakeApp, fakeCaller } from '../../fakes/app/fake-app.ts';
import { openData } from '../../fakes/open-data.ts';
import { skillsOver } from '../../fakes/skills/skills-over.ts';

/** Requests about skills as a window sends them, to the real API over a real data folder. */

const source = JSON.stringify({
  ...{ id: 'greeter', name: 'Greeter', description: 'Greets.', category: 'creative' },
  capabilities: ['llm'],
});

let dataDir: string;
let stores: DataStores;
let router: RequestRouter;
let changes: number;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'hyperagent-ipc-'));
  stores = openData(dataDir);
  changes = 0;
  const onChange = (): void => {
    changes += 1;
  };
  const { requests: skills } = skillsOver(stores, { onChange });
  const app = createFakeApp({ dataDir, entryPoint: 'browser', attended: true });
  router = new RequestRouter({ ...app.api, ...skills }, silentLogger);
});

afterEach(() => {
  stores.close();
  rmSync(dataDir, { recursive: true, force: true });
});

/** The data of a response, checked against the contract, or the code of an error. */
async function ask<Name extends RequestName>(name: Name, input: unknown) {
  const answer = await router.handle(name, input, fakeCaller);
  return answer.ok ? REQUESTS[name].output.parse(answer.data) : answer.error.code;
}

it('list, get and switch', async () => {
  expect(await ask('skills.list', { category: 'code' })).toMatchObject({
    skills: [{ id: 'code_review' }],
  });
  expect(await ask('skills.get', { skillId: 'code-review' })).toMatchObject({
    skill: { summary: { id: 'code_review', state: 'ready' }, metadata: { version: '2.0.1' } },
  });
  expect(await ask('skills.setEnabled', { skillId: 'code_review', enabled: false })).toMatchObject({
    skill: { state: 'disabled' },
  });
  expect(stores.skills.definition('code_review')?.enabled).toBe(false);
  expect(await ask('skills.executions', { skillId: 'code_review' })).toEqual({ executions: [] });
  expect(changes).toBe(1);
});

it('check, save, review, approve, export, import and remove', async () => {
  const code = { language: 'javascript', source };
  expect(await ask('skills.check', code)).toMatchObject({ metadata: { id: 'greeter' } });
  expect(stores.skills.definition('greeter')).toBeNull();
  expect(await ask('skills.save', code)).toMatchObject({
    skill: { summary: { state: 'needs_review' }, code: { version: 1, source } },
  });
  const reviewed = await ask('skills.review', { skillId: 'greeter' });
  const { sha256 } = (reviewed as { review: { sha256: string } }).review;
  const wrong = { skillId: 'greeter', sha256: '0'.repeat(64), capabilities: [] };
  expect(await ask('skills.approve', wrong)).toBe('CONFLICT');
  expect(
    await ask('skills.approve', { skillId: 'greeter', sha256, capabilities: ['llm'] }),
  ).toMatchObject({ skill: { summary: { state: 'ready' }, granted: ['llm'] } });
  expect(await ask('skills.export', { skillId: 'greeter' })).toEqual({
    ...{ fileName: 'greeter.skill.json', text: source },
  });
  expect(await ask('skills.remove', { skillId: 'greeter' })).toEqual({});
  expect(await ask('skills.get', { skillId: 'greeter' })).toBe('SKILL_UNKNOWN');
  expect(await ask('skills.import', { text: source })).toMatchObject({
    skill: { summary: { state: 'needs_review' } },
  });
  expect(await ask('skills.versions', { skillId: 'greeter' })).toEqual({ versions: [] });
  expect(await ask('skills.templates', {})).toEqual({ templates: [], types: '' });
  expect(await ask('skills.refresh', {})).toEqual({});
  // Save, approve, remove, import, refresh.
  expect(changes).toBe(5);
});

it('refuse to remove, export or review skills that are shipped with the app', async () => {
  for (const name of ['versions', 'remove', 'export', 'review'] as const) {
    expect([name, await ask(`skills.${name}`, { skillId: 'code_review' })]).toEqual([
      ...[name, 'BAD_REQUEST'],
    ]);
  }
  expect(await ask('skills.get', { skillId: 'code_review' })).toMatchObject({ skill: {} });
});

it.each<[RequestName, unknown]>([
  ['skills.list', { category: 'cooking' }],
  ['skills.list', { search: 'x'.repeat(201) }],
  ['skills.list', { category: 'code', more: 1 }],
  ['skills.get', { skillId: '' }],
  ['skills.get', { skillId: ['code_review'] }],
  ['skills.setEnabled', { skillId: 'code_review', enabled: 'false' }],
  ['skills.executions', { limit: 201 }],
  ['skills.check', { language: 'python', source }],
  ['skills.save', { language: 'javascript', source: 'x'.repeat(200_001) }],
  ['skills.save', { language: 'javascript', source: '' }],
  ['skills.approve', { skillId: 'greeter', sha256: 'abc', capabilities: [] }],
  ['skills.approve', { skillId: 'greeter', sha256: '0'.repeat(64), capabilities: ['root'] }],
  ['skills.import', { text: 'x'.repeat(1_600_001) }],
  ['skills.templates', { all: true }],
])('%s refuses invalid input, and changes nothing', async (name, input) => {
  expect(await ask(name, input)).toBe('BAD_REQUEST');
  expect([changes, stores.skills.definition('greeter')]).toEqual([0, null]);
  expect(stores.skills.definition('code_review')?.enabled).toBe(true);
});
