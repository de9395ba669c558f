import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import type { RunEvent, RunEventDraft } from '#contract/events/run-event.ts';
import type { AgentName } from '#contract/vocabulary.ts';
import { outsideGraphs } from '../../base/outside-graphs.ts';
import { branchStep, RUN_STEP, type StepPath } from '../../base/step-path.ts';
import {
  cleanupArtifacts,
  collectArtifacts,
  describeLeftBehind,
} from '../../sandbox/artifacts/artifact-transfer.ts';
import type { RunJournal } from '../../storage/types.ts';
import type { Delegate, Delegation, ToolOutput } from '../../tools/types.ts';
import type { AgentContext } from '../types.ts';
import type { ResearchAgent, ResearchDocument, ResearchOutcome } from './research-agent.ts';
import { carrySourceNumbers } from './source-numbers.ts';

/** Bytes of each file that the research reads. */
const FILE_BYTES = 2 * 1024 * 1024;
/** Characters of the report that the calling model reads; the rest is in the file. */
const REPORT_CHARS = 9_000;
const TASK_CHARS = 2_000;
/** The app's own files, and reports of earlier research: those are no sources. */
const NOT_BY_DEFAULT = ['**/.*', '**/.*/**', 'research/**'];

/** A hand-over as the journal has it, at the step of its branch. */
const StoredHandoff = z.strictObject({
  toolCallId: z.string(),
  /** Attached files, read once: they may change while the research is running. */
  documents: z.array(z.strictObject({ url: z.string(), title: z.string(), text: z.string() })),
  /** Files that were asked for and not attached, with the reason. */
  leftBehind: z.array(z.string()).optional(),
  /** From the run that this one retries: it keeps its numbers, and does not count towards the limit. */
  isEarlier: z.boolean().optional(),
});
type StoredHandoff = z.infer<typeof StoredHandoff>;
type Handoff = StoredHandoff & { readonly branch: StepPath };

/** The hand-overs of a run; of each branch, the last one. */
function handoffsOf(journal: RunJournal, runId: string): Handoff[] {
  const byBranch = new Map<StepPath, Handoff>();
  for (const { step, payload } of journal.list(runId, 'branch')) {
    byBranch.set(step, { ...StoredHandoff.parse(payload), branch: step });
  }
  return [...byBranch.values()];
}

/**
 * Copies the hand-overs of the run that this one continues, so that new sources get other numbers than
 * those its results already cite. `upTo`: a log; only hand-overs in it are copied, and they count as this
 * run's own.
 */
export function carryHandoffs(
  journal: RunJournal,
  {
    from,
    to,
    upTo,
  }: { readonly from: string; readonly to: string; readonly upTo?: readonly RunEvent[] },
): void {
  if (journal.list(to, 'branch').length > 0) return;
  carrySourceNumbers(journal, { from, to });
  const logged = new Set(
    upTo?.flatMap((event) => (event.type === 'handoff' ? [event.handoffId] : [])),
  );
  for (const { toolCallId, branch: step } of handoffsOf(journal, from)) {
    if (upTo !== undefined && !logged.has(`${toolCallId} there`)) continue;
    // The research that read the files has stored their texts.
    const kept: StoredHandoff = { toolCallId, documents: [] };
    const payload = upTo === undefined ? { ...kept, isEarlier: true } : kept;
    journal.append(to, { step, kind: 'branch', hash: toolCallId, payload });
  }
}

/** The text of a file; null if it has none. */
export type ExtractText = (bytes: Uint8Array, name: string) => Promise<string | null>;

export interface DelegateParts {
  readonly agent: Pick<ResearchAgent, 'research'>;
  /** The context of the agent that hands over. */
  readonly context: Omit<AgentContext, 'delegate'>;
  readonly journal: RunJournal;
  /** Limit for one run, over all of its agents. */
  readonly maxHandoffs: () => number;
  /** A directory for files in transfer. */
  readonly transfersDir: string;
  /** Reads UTF-8 text only by default. */
  readonly extract?: ExtractText;
  readonly from?: AgentName;
}

/**
 * Lets an agent hand tasks to the research agent, up to a limit for each run. Each hand-over has its own
 * branch, which its call identifies. The text of attached files becomes sources; the report is the result.
 */
export function createDelegate(parts: DelegateParts): Delegate {
  return (delegation) => outsideGraphs(() => handOver(parts, delegation));
}

async function handOver(parts: DelegateParts, delegation: Delegation): Promise<ToolOutput> {
  const { context, agent } = parts;
  const { task, toolCallId, signal } = delegation;
  const handoff = await claimHandoff(parts, delegation);
  if (handoff === null) {
    const most = parts.maxHandoffs();
    return {
      content: `This run has already handed over ${most} ${most === 1 ? 'task' : 'tasks'}, which is the limit. Work with what you have, or say what is missing.`,
      ok: false,
    };
  }
  const from = parts.from ?? 'executor';
  const shownTask = task.slice(0, TASK_CHARS);
  const emitHandoff = (direction: 'there' | 'back', paths: readonly string[]): void => {
    const [sender, receiver] =
      direction === 'there' ? [from, 'research' as const] : ['research' as const, from];
    const event: RunEventDraft = {
      ...{ type: 'handoff', handoffId: `${toolCallId} ${direction}`, task: shownTask },
      ...{ from: sender, to: receiver, artifacts: [...paths] },
    };
    context.emit(event);
  };
  const attached = handoff.documents.map(({ title }) => title);
  emitHandoff('there', attached);
  const outcome = await agent.research(
    task,
    {
      ...context,
      branch: handoff.branch,
      delegate: null,
      signal: AbortSignal.any([context.signal, signal]),
      // The report is the result of a call and stays out of the conversation.
      record: () => undefined,
      emit: (event) => {
        // The answer goes to the calling agent; the user sees the report.
        if (event.type !== 'token') context.emit(event);
      },
      research: context.research ?? { depth: null, scenario: null },
    },
    handoff.documents,
  );
  emitHandoff('back', outcome.report.path === null ? [] : [outcome.report.path]);
  return describe(outcome, handoff);
}

/** The stored hand-over of this call, or a new one; null if the limit is reached. */
async function claimHandoff(
  { journal, context, maxHandoffs, transfersDir, extract = plainText }: DelegateParts,
  { toolCallId, artifacts, task }: Delegation,
): Promise<Handoff | null> {
  const { runId } = context;
  const read = (): Handoff[] => handoffsOf(journal, runId);
  const mayHandOver = (): boolean =>
    read().filter(({ isEarlier }) => isEarlier !== true).length < maxHandoffs();
  const stored = read().find((one) => one.toolCallId === toolCallId && one.isEarlier !== true);
  if (stored !== undefined) return stored;
  if (!mayHandOver()) return null;
  const { documents, leftBehind } = await readArtifacts(
    { context, transfersDir, extract },
    artifacts,
  );
  const { readResearch } = await import('./research-state.ts');
  // Checked again: another step of the run may have handed over in the meantime.
  if (!mayHandOver()) return null;
  const all = read();
  // Research of the run before with the same question continues, or returns its report again.
  const previous = all.find(
    ({ isEarlier, branch }) =>
      isEarlier === true && readResearch(journal, { runId, branch })?.question === task.trim(),
  );
  const step = previous?.branch ?? branchStep(RUN_STEP, 'handoff', String(all.length + 1));
  const payload: StoredHandoff = {
    toolCallId,
    documents,
    ...(leftBehind.length > 0 ? { leftBehind } : {}),
  };
  context.commit(() => journal.append(runId, { step, kind: 'branch', hash: toolCallId, payload }));
  return { ...payload, branch: step };
}

async function readArtifacts(
  {
    context,
    transfersDir,
    extract,
  }: Pick<DelegateParts, 'context' | 'transfersDir'> & { readonly extract: ExtractText },
  globs: readonly string[] | null,
): Promise<{ documents: ResearchDocument[]; leftBehind: string[] }> {
  if (globs?.length === 0) return { documents: [], leftBehind: [] };
  const { workspace } = context.sandbox;
  const patterns = globs?.map((glob) => glob.replace(/^\/workspace\//, '').replace(/^\.\//, ''));
  const transfer = await collectArtifacts(workspace, {
    transfersDir,
    ...(patterns === undefined ? { without: NOT_BY_DEFAULT } : { patterns }),
  });
  try {
    const documents: ResearchDocument[] = [];
    const leftBehind = describeLeftBehind(transfer);
    for (const { path: file, sha256 } of transfer.artifacts) {
      const bytes = await readFile(path.join(transfer.dir, sha256));
      const text = await extract(bytes.subarray(0, FILE_BYTES), file);
      if (text === null || text.trim() === '')
        leftBehind.push(`${JSON.stringify(file)}: no readable text`);
      else documents.push({ url: `workspace:/${file}`, title: file, text });
    }
    return { documents, leftBehind };
  } finally {
    await cleanupArtifacts(transfer);
  }
}

/** The text if the bytes are UTF-8 without NUL; else null. */
async function plainText(bytes: Uint8Array): Promise<string | null> {
  if (bytes.includes(0)) return null;
  const text = new TextDecoder().decode(bytes).replace(/\ufffd+$/, '');
  return text.includes('\ufffd') ? null : text;
}

function describe(
  { report: { markdown, path: file, sources, title }, unverified = [] }: ResearchOutcome,
  { documents, leftBehind = [] }: Pick<StoredHandoff, 'documents' | 'leftBehind'>,
): ToolOutput {
  const isCut = markdown.length > REPORT_CHARS;
  const cut = markdown.lastIndexOf('\n', REPORT_CHARS);
  const shown = isCut ? `${markdown.slice(0, cut > 0 ? cut : REPORT_CHARS)}\n[…]` : markdown;
  const place = file === null ? '' : `/workspace/${file}`;
  const where =
    place === '' ? 'The report could not be written to a file.' : `The full report is in ${place}.`;
  const used = documents.map(({ title: file }) => file).join(', ') || 'none';
  const left = leftBehind.slice(0, 10).join('; ');
  const files = [
    `Files of the workspace used as sources: ${used}.`,
    ...(left === '' ? [] : [`Not taken along: ${left}.`]),
  ];
  const notShown =
    unverified.length === 0
      ? []
      : ['The research could not verify:', ...unverified.slice(0, 20).map((one) => `- ${one}`)];
  const list = sources.map(({ index, url }) => `[${index}] ${url}`);
  return {
    content: [where, ...files, ...notShown, '', shown, '', 'Sources:', ...list].join('\n'),
    // The report quotes web pages.
    untrusted: 'research',
    data: {
      title,
      path: place === '' ? null : place,
      markdown,
      sources,
      unverified: [...unverified],
    },
  };
}
