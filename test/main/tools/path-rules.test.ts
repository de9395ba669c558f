import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { RuleDraft } from '#contract/entities.ts';
import type { TaskSandbox } from '#main/sandbox/types.ts';
import { HostWorkspace } from '#main/sandbox/workspace/host-workspace.ts';
import { tool as sandboxFileTool } from '#main/tools/definitions/sandbox-file.ts';
import { executeToolBatch } from '#main/tools/tool-batch.ts';
import { knownTools, toolBench } from '../../fakes/fake-tools.ts';
import { inlineDocuments } from '../../fakes/inline-documents.ts';
import { noEdits } from '../../fakes/no-edits.ts';
import { noPictures } from '../../fakes/no-pictures.ts';

/** Rules about paths, against every way to write one, over a real folder. */

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'hyperagent-paths-'));
  const made = dir;
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  for (const file of ['secret.txt', 'plain.txt', 'sub/a', 'src/a', 'keep/c', 'keep/deep/d']) {
    mkdirSync(join(dir, dirname(file)), { recursive: true });
    writeFileSync(join(dir, file), `content of ${file}`);
  }
});

const content = (file: string): string => readFileSync(join(dir, file), 'utf8');

function open(rule: Pick<RuleDraft, 'decision' | 'pattern'> | null) {
  const bench = toolBench({ level: 'ask_every_time' });
  if (rule !== null) {
    bench.rules.put({ toolName: 'sandbox_file', match: 'path', threadId: null, ...rule });
  }
  const workspace = new HostWorkspace(dir);
  const context = { ...bench.context, sandbox: { workspace } as unknown as TaskSandbox };
  const tools = knownTools([
    sandboxFileTool({ pictures: noPictures, documents: inlineDocuments, edits: noEdits }),
  ]);
  const make = (given: Readonly<Record<string, unknown>>) =>
    executeToolBatch([{ id: 'c1', name: 'sandbox_file', arguments: given }], context, {
      pipeline: bench.pipeline,
      tools,
    });
  return { ...bench, make };
}

describe('a rule that denies secret.txt and what is in keep', () => {
  const WAYS = [
    'secret.txt',
    './secret.txt',
    'secret.txt/',
    'secret.txt//',
    'secret.txt/.',
    'secret.txt/./',
    '/workspace/secret.txt',
    '/workspace/secret.txt/',
    '/workspace//secret.txt',
    'sub/../secret.txt',
    'sub/../secret.txt/',
    'sub/./..//secret.txt',
    'link',
    'link/',
    'up/secret.txt',
    'root/secret.txt',
    'far/link',
    'SECRET.TXT',
  ];
  const makeLinks = (): void => {
    symlinkSync('secret.txt', join(dir, 'link'));
    symlinkSync('sub/..', join(dir, 'up'));
    symlinkSync('/workspace', join(dir, 'root'));
    symlinkSync('root/up', join(dir, 'far'));
  };

  it.each(WAYS)('holds however it is written: %s', async (path) => {
    makeLinks();
    const { make } = open({ decision: 'deny', pattern: 'secret.txt' });
    for (const given of [
      { operation: 'read', path },
      { operation: 'write', path, content: 'other' },
    ]) {
      const [result] = await make(given);
      expect([result?.status, result?.content]).toEqual([
        'denied',
        expect.stringContaining('A rule of the user denies this.'),
      ]);
    }
    expect(content('secret.txt')).toBe('content of secret.txt');
  });

  it('covers a folder that takes the file along, and what is moved there', async () => {
    const { make } = open({ decision: 'deny', pattern: 'keep/**/d' });
    for (const given of [
      { operation: 'delete', path: 'keep' },
      { operation: 'move', path: 'keep', destination: 'elsewhere' },
      { operation: 'move', path: 'plain.txt', destination: 'keep/deep/d' },
      { operation: 'delete', path: 'sub/../keep/' },
    ]) {
      expect((await make(given))[0]?.status).toBe('denied');
    }
    expect(content('keep/deep/d')).toBe('content of keep/deep/d');
  });

  it('takes no path that is longer than any, which would hold the app for a minute', async () => {
    const { make } = open({ decision: 'deny', pattern: 'secret.txt' });
    const path = '../'.repeat(150_000);
    const [read] = await make({ operation: 'read', path });
    const [moved] = await make({ operation: 'move', path: 'plain.txt', destination: path });
    const refused = {
      status: 'error',
      content: expect.stringContaining('4096 characters at most'),
    };
    expect([read, moved]).toEqual([
      expect.objectContaining(refused),
      expect.objectContaining(refused),
    ]);
  });

  it('says nothing about other files', async () => {
    const { make } = open({ decision: 'deny', pattern: 'secret.txt' });
    expect((await make({ operation: 'read', path: 'plain.txt/' }))[0]).toMatchObject({
      ...{ status: 'ok', content: 'content of plain.txt' },
    });
  });
});

describe('a rule that approves src/**', () => {
  it('reaches what is there, and asks about what a link leads to, saying where', async () => {
    symlinkSync('..', join(dir, 'src/up'));
    const { make, events, openQuestion, broker, context } = open({
      decision: 'approve',
      pattern: 'src/**',
    });
    const write = (path: string) => make({ operation: 'write', path, content: 'new' });
    expect((await write('src/made/b'))[0]?.status).toBe('ok');
    events.length = 0;
    const running = write('src/up/keep/c');
    const asked = await openQuestion();
    expect(asked.reasons).toContain('src/up/keep/c leads to keep/c.');
    expect(asked.change).toMatchObject({ path: 'keep/c', before: 'content of keep/c' });
    expect(asked.rulePatterns).toEqual([{ match: 'path', pattern: 'keep/c' }]);
    broker.respond(context.runId, asked.interruptId, { action: 'deny', reason: '' });
    expect((await running)[0]?.status).toBe('denied');
    expect(content('keep/c')).toBe('content of keep/c');
  });

  it.each([
    ['sub/a', { operation: 'write', path: 'sub/a', content: 'new' }],
    ['sub/fresh', { operation: 'write', path: 'sub/fresh', content: 'new' }],
    ['sub', { operation: 'write', path: 'sub/c', content: 'new' }],
    ['sub', { operation: 'delete', path: 'sub/c' }],
    ['sub', { operation: 'move', path: 'sub/c', destination: 'd' }],
  ])(
    'opens what was looked at: no link that takes the place of %s meanwhile',
    async (place, given) => {
      writeFileSync(join(dir, 'sub/c'), 'content of sub/c');
      const { make, openQuestion, broker, context } = open(null);
      const running = make(given);
      const { interruptId, argumentsSha256 = '' } = await openQuestion();
      // A background program, while the user reads.
      rmSync(join(dir, place), { recursive: true, force: true });
      symlinkSync(place === 'sub' ? 'keep' : '/workspace/keep/c', join(dir, place));
      const yes = { action: 'approve' as const, argumentsSha256, always: false };
      broker.respond(context.runId, interruptId, yes);
      expect((await running)[0]).toMatchObject({
        ...{ status: 'error', content: expect.stringContaining('was replaced by a link') },
      });
      expect(content('keep/c')).toBe('content of keep/c');
    },
  );
});

it('leaves the folder of the app alone', async () => {
  symlinkSync('.hyperagent', join(dir, 'mine'));
  mkdirSync(join(dir, '.hyperagent'));
  const { make } = open({ decision: 'approve', pattern: '**' });
  for (const given of [
    { operation: 'write', path: '.hyperagent/json.py', content: 'x' },
    { operation: 'write', path: 'mine/json.py', content: 'x' },
    { operation: 'move', path: 'plain.txt', destination: './.hyperagent//json.py' },
  ]) {
    expect((await make(given))[0]).toMatchObject({
      ...{ status: 'error', content: expect.stringContaining('belongs to the app') },
    });
  }
});
