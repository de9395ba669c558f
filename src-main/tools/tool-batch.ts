import { callStep } from '../base/step-path.ts';
import type { RunParked } from '../hitl/types.ts';
import type { InvalidToolCall, ToolCall } from '../models/types.ts';
import type { Clearance } from './clear-call.ts';
import type { KnownTool, PreparedCall } from './prepare-call.ts';
import { withRiskIn } from './risk-in.ts';
import type { CallContext, CallResult, ToolPipeline } from './tool-pipeline.ts';

/** Reads of one answer that run at the same time. */
const PARALLEL_READS = 5;

export interface BatchParts {
  readonly pipeline: ToolPipeline;
  readonly tools: ReadonlyMap<string, KnownTool>;
  /** The place of the first of these calls in its answer; 0 by default. */
  readonly firstIndex?: number;
}

interface Entry {
  readonly call: PreparedCall;
  readonly clearance: Exclude<Clearance, { kind: 'parked' }>;
}

/**
 * Runs the calls of one answer and returns their results in the order of the calls. Approvals are asked for
 * first, all together. Then neighbouring reads run in parallel, while every call with an effect keeps its
 * place: a read after a write sees what was written. If the user is away, the calls before the first one that
 * needs them run, and then the run is parked.
 */
export async function executeToolBatch(
  calls: readonly (ToolCall | InvalidToolCall)[],
  context: CallContext,
  { pipeline, tools, firstIndex = 0 }: BatchParts,
): Promise<CallResult[]> {
  const results = new Map<string, CallResult>();
  const prepared: PreparedCall[] = [];
  for (const [index, call] of calls.entries()) {
    const checked = pipeline.prepare(call, tools, callStep(context.answer, firstIndex + index));
    if (checked.kind === 'prepared') prepared.push(withRiskIn(checked, context));
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
  for (const group of groupReads(entries)) {
    context.signal.throwIfAborted();
    const groupResults = await Promise.all(
      group.map(({ call, clearance }) => pipeline.execute(call, clearance, context, tools)),
    );
    for (const result of groupResults) results.set(result.toolCallId, result);
  }
  if (parked !== null) throw parked;
  return calls.flatMap((call) => results.get(call.id) ?? []);
}

/** Neighbouring reads in groups of at most five; everything else alone. */
function groupReads(entries: readonly Entry[]): Entry[][] {
  const groups: Entry[][] = [];
  for (const entry of entries) {
    const group = groups.at(-1);
    const joins =
      entry.call.effect === 'read' &&
      group?.[0]?.call.effect === 'read' &&
      group.length < PARALLEL_READS;
    if (joins) group.push(entry);
    else groups.push([entry]);
  }
  return groups;
}
