import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { RuleDraft } from '#contract/entities.ts';
import type { Deck } from '#contract/slides.ts';
import type { TaskSandbox } from '#main/sandbox/types.ts';
import { HostWorkspace } from '#main/sandbox/workspace/host-workspace.ts';
import { tool as generateSlidesTool } from '#main/tools/definitions/generate-slides.ts';
import { executeToolBatch } from '#main/tools/tool-batch.ts';
import { FakeSlides, parseFakeDeck } from './fake-slides.ts';
import { knownTools, noLedger, toolBench } from './fake-tools.ts';

export type GivenCall = Readonly<Record<string, unknown>>;

export const TITLE = { layout: 'title', title: 'Tea', subtitle: 'A leaf' } as const;
export const BULLETS = { layout: 'bullets', title: 'Kinds', items: ['green', 'black'] };
/** The arguments of a new deck. */
export const TEA = { title: 'Tea', theme: 'forest', slides: [TITLE, BULLETS] };

/** A real folder for decks, until the test ends. */
export function slideFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'hyperagent-slides-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

export function deckIn(dir: string, path: string): Deck {
  return parseFakeDeck(readFileSync(join(dir, path), 'utf8'));
}

/** `generate_slides` over a real folder and the real pipeline; decks are those of the fake. */
export function slideBench(
  dir: string,
  { rule = null as Pick<RuleDraft, 'decision' | 'pattern'> | null, ledger = noLedger } = {},
) {
  const bench = toolBench({ level: rule === null ? null : 'ask_every_time', ledger });
  if (rule !== null) {
    bench.rules.put({ toolName: 'generate_slides', match: 'path', threadId: null, ...rule });
  }
  const slides = new FakeSlides();
  const workspace = new HostWorkspace(dir);
  const context = { ...bench.context, sandbox: { workspace } as unknown as TaskSandbox };
  const tools = knownTools([generateSlidesTool({ slides })]);
  const make = async (given: GivenCall) => {
    const calls = [{ id: 'c1', name: 'generate_slides', arguments: { ...given } }];
    const [result] = await executeToolBatch(calls, context, { pipeline: bench.pipeline, tools });
    if (result === undefined) throw new Error('The call has no result');
    return result;
  };
  return { ...bench, slides, make };
}
