import { callStep } from '../base/step-path.ts';
import type { RunParked } from '../hitl/types.ts';
import type { InvalidToolCall, ToolCall } from '../models/types.ts';
import { withInRun } from './call-in-run.ts';
import type { Clearance } from './clear-call.ts';
import type { KnownTool, PreparedCall } from './prepare-call.ts';
import type { CallContext, CallResult, ToolPipeline } from './tool-pipeline.ts';

/** Calls of one answer that run at the same time. */
const PARALLEL_CALLS = 5;

export interface BatchParts {
  readonly pipeline: ToolPipeline;
  readonly tools: ReadonlyMap<string, KnownTool>;
  /** What skills and scripts may call from within a call; by default the same. */
  readonly nestedTools?: ReadonlyMap<string, KnownTool>;
  /** The place of the first of these calls in its answer; 0 by default. */
  readonly firstIndex?: number;
}

interface Entry {
  readonly call: PreparedCall;
  readonly clearance: Exclude<Clearance, { kind: 'parked' }>;
}

/**
 * Runs the calls of one answer and returns their results in the order of the calls. Approvals are asked for
 * first, all together. Then neighbouring reads run in parallel, and so do neighbouring calls that depend on
 * nothing else (skills that only read), while every call with an effect, and every call in the browser, keeps its
 * place: a read after a write sees what was written. If the user is away, the calls before the first one that needs them run, and then the
 * run is parked. A group that fails or parks is awaited whole: nothing of it runs on unseen.
 */
export async function executeToolBatch(
  calls: readonly (ToolCall | InvalidToolCall)[],
  context: CallContext,
  { pipeline, tools, nestedTools = tools, firstIndex = 0 }: BatchParts,
): Promise<CallResult[]> {
  const results = new Map<string, CallResult>();
  const prepared: PreparedCall[] = [];
  for (const [index, call] of calls.entries()) {
    const checked = pipeline.prepare(call, tools, callStep(context.answer, firstIndex + index));
    if (checked.kind === 'prepared') prepared.push(withInRun(checked, context));
    else results.set(checked.id, pipeline.refuse(checked, context));
  }
  const clearances = await pipeline.beforeExecution(prepared, context, tools);
  const entries: Entry[] = [];
  let parked: RunParked | null = null;
  for (const [i, call] of prepared.entries()) {
    const clearance = clearances[i] ?? { kind: 'denied', reason: 'It was not decided.' };
    if (clearance.kind === 'parked') {
      parked = clearance.parked;
      break;
    }
    entries.push({ call, clearance });
  }
  for (const group of groupParallel(entries)) {
    context.signal.throwIfAborted();
    const settled = await Promise.allSettled(
      group.map(({ call, clearance }) => pipeline.execute(call, clearance, context, nestedTools)),
    );
    for (const one of settled) {
      if (one.status === 'rejected') throw one.reason;
      results.set(one.value.toolCallId, one.value);
    }
  }
  if (parked !== null) throw parked;
  return calls.flatMap((call) => results.get(call.id) ?? []);
}

/** Neighbouring reads, and neighbouring independent calls, in groups of at most five; everything else alone. */
function groupParallel(entries: readonly Entry[]): Entry[][] {
  const groups: Entry[][] = [];
  let last: 'read' | 'independent' | null = null;
  for (const entry of entries) {
    const { effect, tool, input } = entry.call;
    // Calls in one browser see the same page: each keeps its place.
    const isAlone = tool.category === 'browser';
    const isIndependent = tool.isIndependent?.(input) === true;
    const kind = isAlone ? null : effect === 'read' ? 'read' : isIndependent ? 'independent' : null;
    const group = groups.at(-1);
    const joins = kind !== null && kind === last && group !== undefined;
    if (joins && group.length < PARALLEL_CALLS) group.push(entry);
    else groups.push([entry]);
    last = kind;
  }
  return groups;
}
