import { RunParked } from '../hitl/types.ts';
import type { ToolCall } from '../services/llm/types.ts';
import { type KnownTool, type PreparedCall, prepareCall } from './prepare-call.ts';
import { withRiskIn } from './risk-in.ts';
import type { CallContext, CallResult, ToolPipeline } from './tool-pipeline.ts';

/** A call that a script makes while its own call is at work. */
export interface NestedCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** Rejects with the reason of `signal` when that aborts. */
export type InvokeNested = (call: NestedCall, signal: AbortSignal) => Promise<CallResult>;

/** Places in the ledger for the calls of one script. */
const PLACES = 100_000;

/**
 * Calls from within `parent` go through the pipeline as any other: scanned, asked about, in the ledger
 * under places of their own, one after the other. They are numbered in order, so that a script that is
 * run again after a crash gets the stored results of those that were done. Rejects with `RunParked`
 * where nobody is there to be asked.
 */
export function nestedCalls(
  parent: PreparedCall,
  outer: CallContext,
  parts: { readonly pipeline: ToolPipeline; readonly tools: ReadonlyMap<string, KnownTool> },
): InvokeNested {
  const { pipeline, tools } = parts;
  let count = 0;
  let queue: Promise<unknown> = Promise.resolve();
  const runOne = async (
    call: ToolCall,
    { index, signal }: { index: number; signal: AbortSignal },
  ): Promise<CallResult> => {
    signal.throwIfAborted();
    const context = { ...outer, signal, sandbox: outer.sandbox.beside() };
    const checked = prepareCall(call, tools, index);
    if (checked.kind === 'refused') return pipeline.refuse(checked, context);
    const prepared = withRiskIn(checked, context);
    const [clearance] = await pipeline.beforeExecution([prepared], context, tools);
    if (clearance === undefined) throw new Error('A nested call was not decided');
    if (clearance.kind === 'parked') throw new RunParked(clearance.parked.interruptId);
    return await pipeline.execute(prepared, clearance, context);
  };
  return ({ name, arguments: given }, signal) => {
    count += 1;
    const call: ToolCall = { id: `${parent.id}.${count}`, name, arguments: given };
    const index = (parent.index + 1) * PLACES + count;
    const result = queue.then(() => runOne(call, { index, signal }));
    // The caller gets the failure; the next in the queue runs all the same.
    queue = result.catch(() => undefined);
    return result;
  };
}
