import { AsyncLocalStorage } from 'node:async_hooks';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import type { RunEvent, RunEventDraft } from '#contract/events/run-event.ts';
import type { AgentName } from '#contract/vocabulary.ts';
import {
  ARTIFACT_PATTERNS,
  cleanupArtifacts,
  collectArtifacts,
} from '../../sandbox/artifacts/artifact-transfer.ts';
import type { RunStateStore } from '../../storage/types.ts';
import type { Delegate, Delegation, ToolOutput } from '../../tools/types.ts';
import type { AgentContext } from '../types.ts';
import { FIRST_HANDOFF_LANE } from './lanes.ts';
import type { ResearchAgent, ResearchDocument, ResearchOutcome } from './research-agent.ts';

const PART = 'handoffs';
/** Of one file, what the research reads. */
const FILE_BYTES = 2 * 1024 * 1024;
/** Of the report, what the model reads; the rest is in the file. */
const REPORT_CHARS = 9_000;
const TASK_CHARS = 2_000;

const Handoff = z.strictObject({
  toolCallId: z.string(),
  lane: z.int().min(FIRST_HANDOFF_LANE),
  /** Files that came along, taken once: they may change while the research is at work. */
  documents: z.array(z.strictObject({ url: z.string(), title: z.string(), text: z.string() })),
  /** Of the run that this one is another attempt at: it keeps its numbers, and does not count. */
  isEarlier: z.boolean().optional(),
});
const Handoffs = z.array(Handoff);
type Handoff = z.infer<typeof Handoff>;

/**
 * Gives a run the hand-overs of the one that it goes on from, so that what comes has other numbers than the
 * sources that its results name. `upTo`: those alone that the log knew then, and they count as its own.
 */
export function carryHandoffs(
  states: RunStateStore,
  {
    from,
    to,
    upTo,
  }: { readonly from: string; readonly to: string; readonly upTo?: readonly RunEvent[] },
): void {
  const earlier = Handoffs.parse(states.find(from, PART) ?? []);
  if (earlier.length === 0 || states.find(to, PART) !== null) return;
  const told = new Set(
    upTo?.flatMap((event) => (event.type === 'handoff' ? [event.handoffId] : [])),
  );
  const kept = earlier
    .filter(({ toolCallId }) => upTo === undefined || told.has(`${toolCallId} there`))
    // Their texts are with the research that they came for.
    .map(({ toolCallId, lane }) => ({ toolCallId, lane, documents: [] }));
  states.put(
    to,
    PART,
    kept.map((one) => (upTo === undefined ? { ...one, isEarlier: true } : one)),
  );
}

/** The text of a file, or null where it has none. */
export type ExtractText = (bytes: Uint8Array, name: string) => Promise<string | null>;

export interface DelegateParts {
  readonly agent: Pick<ResearchAgent, 'research'>;
  /** Of the agent that hands over. */
  readonly context: Omit<AgentContext, 'delegate'>;
  readonly states: RunStateStore;
  /** Hand-overs of one run, whoever makes them. */
  readonly maxHandoffs: () => number;
  /** Where files are held on their way. */
  readonly transfersDir: string;
  /** UTF-8 text alone unless given. */
  readonly extract?: ExtractText;
  readonly from?: AgentName;
}

/**
 * Lets an agent hand tasks to research: so often in a run, each in a lane of its own that is found
 * again by its call, with the text of files as sources, and the report as what comes back.
 */
export function createDelegate(parts: DelegateParts): Delegate {
  // A call is made inside the graph of the agent that makes it, which would take research for a part of it.
  const outside = AsyncLocalStorage.snapshot();
  return (delegation) => outside(() => handOver(parts, delegation));
}

async function handOver(parts: DelegateParts, delegation: Delegation): Promise<ToolOutput> {
  const { context, agent } = parts;
  const { task, artifacts, toolCallId, signal } = delegation;
  const known = await takeHandoff(parts, delegation);
  if (known === null) {
    const most = parts.maxHandoffs();
    return {
      content: `This run has handed over ${most} ${most === 1 ? 'task' : 'tasks'} already, and may not hand over more. Work with what you have, or say what is missing.`,
      ok: false,
    };
  }
  const from = parts.from ?? 'executor';
  const shownTask = task.slice(0, TASK_CHARS);
  const tell = (way: 'there' | 'back', paths: readonly string[]): void => {
    const [sender, receiver] =
      way === 'there' ? [from, 'research' as const] : ['research' as const, from];
    const event: RunEventDraft = {
      ...{ type: 'handoff', handoffId: `${toolCallId} ${way}`, task: shownTask },
      ...{ from: sender, to: receiver, artifacts: [...paths] },
    };
    context.emit(event);
  };
  const taken = known.documents.map(({ title }) => title);
  tell('there', taken);
  const outcome = await agent.research(
    task,
    {
      ...context,
      lane: known.lane,
      delegate: null,
      signal: AbortSignal.any([context.signal, signal]),
      // What the research says is the result of a call, and no message of the conversation.
      record: () => undefined,
      emit: (event) => {
        // Its answer is a result for the caller; the person sees the report.
        if (event.type !== 'token') context.emit(event);
      },
      research: context.research ?? { depth: null, scenario: null },
    },
    known.documents,
  );
  tell('back', outcome.report.path === null ? [] : [outcome.report.path]);
  return describe(outcome, artifacts.length > 0 ? taken : null);
}

/** The hand-over of this call: as it was stored, or a new one; null where there were enough. */
async function takeHandoff(
  { states, context, maxHandoffs, transfersDir, extract = plainText }: DelegateParts,
  { toolCallId, artifacts, task }: Delegation,
): Promise<Handoff | null> {
  const read = (): Handoff[] => Handoffs.parse(states.find(context.runId, PART) ?? []);
  const mayHandOver = (): boolean =>
    read().filter(({ isEarlier }) => isEarlier !== true).length < maxHandoffs();
  const stored = read().find((one) => one.toolCallId === toolCallId && one.isEarlier !== true);
  if (stored !== undefined) return stored;
  if (!mayHandOver()) return null;
  const documents =
    artifacts.length === 0
      ? []
      : await readArtifacts({ context, transfersDir, extract }, artifacts);
  const { readResearch } = await import('./research-state.ts');
  // Read again: another step of the run may have handed over meanwhile.
  if (!mayHandOver()) return null;
  const all = read();
  // A research of the run before that asks the same goes on, or gives its report again.
  const begun = all.find(
    ({ isEarlier, lane }) =>
      isEarlier === true &&
      readResearch(states, { runId: context.runId, lane })?.question === task.trim(),
  );
  const handoff = { toolCallId, lane: begun?.lane ?? nextLane(all), documents };
  const others = all.filter((one) => one !== begun);
  context.commit(() => states.put(context.runId, PART, [...others, handoff]));
  return handoff;
}

function nextLane(all: readonly Handoff[]): number {
  return Math.max(FIRST_HANDOFF_LANE - 1, ...all.map(({ lane }) => lane)) + 1;
}

async function readArtifacts(
  {
    context,
    transfersDir,
    extract,
  }: Pick<DelegateParts, 'context' | 'transfersDir'> & { readonly extract: ExtractText },
  globs: readonly string[],
): Promise<ResearchDocument[]> {
  const { workspace } = context.sandbox;
  const patterns = globs.map((glob) => glob.replace(/^\/workspace\//, '').replace(/^\.\//, ''));
  const transfer = await collectArtifacts(workspace, {
    transfersDir,
    patterns: patterns.length > 0 ? patterns : ARTIFACT_PATTERNS,
  });
  try {
    const documents: ResearchDocument[] = [];
    for (const { path: file, sha256 } of transfer.artifacts) {
      const bytes = await readFile(path.join(transfer.dir, sha256));
      const text = await extract(bytes.subarray(0, FILE_BYTES), file);
      if (text === null || text.trim() === '') continue;
      documents.push({ url: `workspace:/${file}`, title: file, text });
    }
    return documents;
  } finally {
    await cleanupArtifacts(transfer);
  }
}

/** What is UTF-8 and no program's bytes. */
async function plainText(bytes: Uint8Array): Promise<string | null> {
  if (bytes.includes(0)) return null;
  const text = new TextDecoder().decode(bytes).replace(/\ufffd+$/, '');
  return text.includes('\ufffd') ? null : text;
}

function describe(
  { report: { markdown, path: file, sources, title } }: ResearchOutcome,
  taken: readonly string[] | null,
): ToolOutput {
  const isCut = markdown.length > REPORT_CHARS;
  const cut = markdown.lastIndexOf('\n', REPORT_CHARS);
  const shown = isCut ? `${markdown.slice(0, cut > 0 ? cut : REPORT_CHARS)}\n[…]` : markdown;
  const place = file === null ? '' : `/workspace/${file}`;
  const where =
    place === '' ? 'It could not be written to a file.' : `The whole report is ${place}.`;
  const came =
    taken === null ? [] : [`Files that were taken along: ${taken.join(', ') || 'none'}.`];
  const list = sources.map(({ index, url }) => `[${index}] ${url}`);
  return {
    content: [where, ...came, '', shown, '', 'Sources:', ...list].join('\n'),
    // It quotes pages.
    untrusted: 'research',
    data: { title, path: place === '' ? null : place, markdown, sources },
  };
}
