import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createDelegate } from '#main/agents/research/delegation.ts';
import { executeToolBatch } from '#main/tools/tool-batch.ts';
import { ToolCatalogue } from '#main/tools/tool-catalogue.ts';
import type { Delegate } from '#main/tools/types.ts';
import { noSearch } from '../../../fakes/fake-search.ts';
import { toolBench } from '../../../fakes/fake-tools.ts';
import { startFixtureWeb } from '../../../fakes/fixture-web/server.ts';
import { inlineDocuments } from '../../../fakes/inline-documents.ts';
import { noApps } from '../../../fakes/no-apps.ts';
import { noBrowsers } from '../../../fakes/no-browsers.ts';
import { noEdits } from '../../../fakes/no-edits.ts';
import { noImages } from '../../../fakes/no-images.ts';
import { noPictures, noScans } from '../../../fakes/no-pictures.ts';
import { noSkills } from '../../../fakes/no-skills.ts';
import { noSlides } from '../../../fakes/no-slides.ts';
import { RuleChatModel, researchRule } from '../../../fakes/research-model.ts';
import { call } from '../../../fakes/scripted-chat-model.ts';
import { ofType, researchBench } from './bench.ts';

const TASK = 'Norvik tidal power station installed capacity';

async function openDelegate(maxHandoffs = 3) {
  const web = await startFixtureWeb({ leaveOut: ['slow'] });
  onTestFinished(() => web[Symbol.asyncDispose]());
  const model = new RuleChatModel(researchRule());
  const bench = researchBench(web, { model, depth: 'fast' });
  const transfersDir = path.join(bench.dir, '..', 'transfers');
  const { signal } = new AbortController();
  const delegateOf = (context = bench.open().context): Delegate =>
    createDelegate({
      ...{ agent: bench.agent, context, journal: bench.stores.journal, transfersDir },
      maxHandoffs: () => maxHandoffs,
    });
  const hand = (toolCallId: string, artifacts: string[] | null = [], delegate = delegateOf()) =>
    delegate({ task: TASK, artifacts, toolCallId, signal });
  return { ...bench, web, transfersDir, hand, delegateOf };
}

it('hands over and back with files as sources, in its own branch, and leaves no files behind', async () => {
  const bench = await openDelegate();
  mkdirSync(path.join(bench.dir, 'notes'), { recursive: true });
  writeFileSync(
    path.join(bench.dir, 'notes', 'visit.md'),
    'On our visit the Norvik tidal power station had an installed capacity of 318 MW on the board.',
  );
  writeFileSync(path.join(bench.dir, 'notes', 'photo.md'), Buffer.from([0, 1, 2, 255]));
  const output = await bench.hand('call_1', ['notes/*.md']);
  expect(output.content).toContain('The full report is in /workspace/research/');
  expect(output.content).toContain('[1] workspace:/notes/visit.md');
  expect(output.content).toContain('Files of the workspace used as sources: notes/visit.md.');
  expect(output.content).toContain('Not taken along: "notes/photo.md": no readable text.');
  expect(output.content).toMatch(/318 MW on the board\. \[1\]/);
  expect(output.untrusted).toBe('research');
  const back = (output.data as { path: string }).path.replace('/workspace/', '');
  expect(
    ofType(bench.events, 'handoff').map(({ from, to, artifacts }) => [from, to, artifacts]),
  ).toEqual([
    ['executor', 'research', ['notes/visit.md']],
    ['research', 'executor', [back]],
  ]);
  // The conversation has none of it.
  expect([bench.recorded, ofType(bench.events, 'token')]).toEqual([[], []]);
  expect(readdirSync(bench.transfersDir)).toEqual([]);
});

it('takes texts, tables and programs along where no files are named; not its own reports, nothing hidden', async () => {
  const bench = await openDelegate();
  const text = 'The Norvik tidal power station has an installed capacity of 318 MW.';
  for (const file of [
    'visit.md',
    'data/rows.csv',
    'x.bin',
    '.secret.md',
    '.git/a.md',
    'research/old.md',
  ]) {
    mkdirSync(path.dirname(path.join(bench.dir, file)), { recursive: true });
    writeFileSync(path.join(bench.dir, file), text);
  }
  await bench.hand('call_1', null);
  await bench.hand('call_2', []);
  const there = ofType(bench.events, 'handoff').filter(({ to }) => to === 'research');
  expect(there.map(({ artifacts }) => [...artifacts].sort())).toEqual([
    ['data/rows.csv', 'visit.md'],
    [],
  ]);
});

it('rejects the fourth hand-over, and returns the stored result of a repeated one', async () => {
  const bench = await openDelegate();
  const outputs = [];
  for (const id of ['a', 'b', 'c', 'd']) outputs.push(await bench.hand(id));
  expect(outputs.map(({ ok }) => ok ?? true)).toEqual([true, true, true, false]);
  expect(outputs[3]?.content).toContain('already handed over 3 tasks');
  const before = bench.web.requests.length;
  const events = bench.events.length;
  expect(await bench.hand('b')).toEqual(outputs[1]);
  expect([bench.web.requests.length, bench.events.length]).toEqual([before, events]);
});

it('does not let research hand over tasks', async () => {
  const bench = await openDelegate();
  const seen: unknown[] = [];
  const spying = createDelegate({
    agent: {
      research: async (_task, context) => {
        seen.push([context.delegate, context.branch]);
        throw new Error('Enough');
      },
    },
    ...{ context: bench.open().context, journal: bench.stores.journal },
    ...{ transfersDir: bench.transfersDir, maxHandoffs: () => 3 },
  });
  await expect(bench.hand('x', [], spying)).rejects.toThrow('Enough');
  expect(seen).toEqual([[null, 'handoff-1']]);
});

it('is a tool with an alias that models do not see', async () => {
  const tools = new ToolCatalogue({
    pictures: noPictures,
    browsers: noBrowsers,
    scans: noScans,
    apps: noApps,
    edits: noEdits,
    slides: noSlides,
    images: noImages,
    skills: noSkills(),
    commandTimeoutMs: () => 1_000,
    ...{ search: noSearch, library: null, documents: inlineDocuments },
  }).forAgent('executor');
  const bench = toolBench();
  const asked: string[] = [];
  const delegate: Delegate = async ({ task, artifacts, toolCallId }) => {
    asked.push(`${toolCallId}: ${task} ${artifacts?.join()}`);
    return { content: 'The report' };
  };
  const start = (name: string, given: Delegate | null) =>
    executeToolBatch(
      [call(`${name}-1`, name, { task: 'Why?', artifacts: ['*.md'] })],
      { ...bench.context, delegate: given },
      { pipeline: bench.pipeline, tools },
    );
  const [own] = await start('delegate_to_research', delegate);
  const [other] = await start('handoff_to_research', delegate);
  const [refused] = await start('delegate_to_research', null);
  expect([own?.content, other?.content, other?.toolName, refused?.status]).toEqual([
    ...['The report', 'The report', 'delegate_to_research', 'error'],
  ]);
  expect(asked).toEqual(['delegate_to_research-1: Why? *.md', 'handoff_to_research-1: Why? *.md']);
  expect([...tools.keys()]).not.toContain('handoff_to_research');
});
