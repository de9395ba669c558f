import { defined } from '#contract/defined.ts';
import { numberedStep, type StepPath } from '../base/step-path.ts';
import { type InterruptBroker, RunParked } from '../hitl/types.ts';
import type { ToolCall } from '../models/types.ts';
import type { KnownTool, PreparedCall } from './prepare-call.ts';
import { withRiskIn } from './risk-in.ts';
import type { CallContext, CallResult, ToolPipeline } from './tool-pipeline.ts';

/** A call that a script makes while its own call is running. */
export interface NestedCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

export interface NestedOptions {
  /** Where it is within its parent, where that is not simply the order of the calls. */
  readonly step?: StepPath;
  /** Asks the user; by default the run's broker. */
  readonly broker?: InterruptBroker;
  /** Lets reads run beside other calls. */
  readonly isParallel?: boolean;
}

/** Rejects with the reason of `signal` when that aborts. */
export type InvokeNested = (
  call: NestedCall,
  signal: AbortSignal,
  options?: NestedOptions,
) => Promise<CallResult>;

interface RunOptions {
  readonly step: StepPath;
  readonly signal: AbortSignal;
  readonly broker?: InterruptBroker;
}

/**
 * Calls from within `parent` go through the pipeline like any other: scanned, approved, and entered in the
 * ledger at steps of their own, one after the other. They are numbered in order, so that a script that runs
 * again after a crash gets the stored results of finished calls. Rejects with `RunParked` where the user is
 * away.
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
    { step, signal, broker = outer.broker }: RunOptions,
  ): Promise<CallResult> => {
    signal.throwIfAborted();
    const context = { ...outer, signal, broker, sandbox: outer.sandbox.beside() };
    const checked = pipeline.prepare(call, tools, step);
    if (checked.kind === 'refused') return pipeline.refuse(checked, context);
    const prepared = withRiskIn(checked, context);
    const [clearance] = await pipeline.beforeExecution([prepared], context, tools);
    if (clearance === undefined) throw new Error('A nested call was not decided');
    if (clearance.kind === 'parked') throw new RunParked(clearance.parked.interruptId);
    return await pipeline.execute(prepared, clearance, context);
  };
  return ({ name, arguments: given }, signal, { step, broker, isParallel = false } = {}) => {
    count += 1;
    const own = step ?? numberedStep(parent.step, count);
    const suffix = own.slice(parent.step.length).replaceAll('/', '.');
    const call: ToolCall = { id: `${parent.id}${suffix}`, name, arguments: given };
    const options = defined({ step: own, signal, broker });
    if (isParallel) return runOne(call, options);
    const result = queue.then(() => runOne(call, options));
    // The caller gets the failure; the next in the queue runs all the same.
    queue = result.catch(() => undefined);
    return result;
  };
}
