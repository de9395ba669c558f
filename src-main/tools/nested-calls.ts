import { defined } from '#contract/defined.ts';
import { AppError } from '#contract/errors.ts';
import { numberedStep, type StepPath } from '../base/step-path.ts';
import { type InterruptBroker, RunParked } from '../hitl/types.ts';
import type { ToolCall } from '../models/types.ts';
import { withInRun } from './call-in-run.ts';
import { describeBlock } from './guard-call.ts';
import type { KnownTool, PreparedCall } from './prepare-call.ts';
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

/**
 * Asks for a nested call what any call is asked for (guardrails, rules, the user), without making it, and returns
 * its arguments: the user may have changed them. Throws `TOOL_DENIED`, `GUARDRAIL_BLOCKED`,
 * `TOOL_ARGUMENTS_INVALID`, `TOOL_UNKNOWN` and `RunParked`. Asked again at the same step, the answer is the same.
 */
export type ClearNested = (
  call: NestedCall,
  signal: AbortSignal,
  options: NestedOptions & { readonly step: StepPath },
) => Promise<Readonly<Record<string, unknown>>>;

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
): { readonly invoke: InvokeNested; readonly clear: ClearNested } {
  const { pipeline, tools } = parts;
  let count = 0;
  let queue: Promise<unknown> = Promise.resolve();
  const cleared = async (call: ToolCall, { step, signal, broker = outer.broker }: RunOptions) => {
    signal.throwIfAborted();
    const context = { ...outer, signal, broker, sandbox: outer.sandbox.beside(), sources: null };
    const checked = pipeline.prepare(call, tools, step);
    if (checked.kind === 'refused') return { checked, context };
    const prepared = withInRun(checked, context);
    const [clearance] = await pipeline.beforeExecution([prepared], context, tools);
    if (clearance === undefined) throw new Error('A nested call was not decided');
    if (clearance.kind === 'parked') throw new RunParked(clearance.parked.interruptId);
    return { checked: prepared, clearance, context };
  };
  const runOne = async (call: ToolCall, options: RunOptions): Promise<CallResult> => {
    const { checked, clearance, context } = await cleared(call, options);
    return clearance === undefined
      ? pipeline.refuse(checked, context)
      : await pipeline.execute(checked, clearance, context);
  };
  const callAt = ({ name, arguments: given }: NestedCall, own: StepPath): ToolCall => {
    const suffix = own.slice(parent.step.length).replaceAll('/', '.');
    return { id: `${parent.id}${suffix}`, name, arguments: given };
  };
  const invoke: InvokeNested = (nested, signal, { step, broker, isParallel = false } = {}) => {
    count += 1;
    const own = step ?? numberedStep(parent.step, count);
    const call = callAt(nested, own);
    const options = defined({ step: own, signal, broker });
    if (isParallel) return runOne(call, options);
    const result = queue.then(() => runOne(call, options));
    // The caller gets the failure; the next in the queue runs all the same.
    queue = result.catch(() => undefined);
    return result;
  };
  const clear: ClearNested = async (nested, signal, { step, broker }) => {
    const call = callAt(nested, step);
    const { checked, clearance } = await cleared(call, defined({ step, signal, broker }));
    if (clearance === undefined) throw new AppError(checked.code, checked.problem);
    switch (clearance.kind) {
      case 'cleared':
        return clearance.call.input;
      case 'blocked':
        throw new AppError('GUARDRAIL_BLOCKED', describeBlock(clearance.report));
      case 'denied':
        throw new AppError(
          'TOOL_DENIED',
          `The user did not allow this: ${clearance.reason}`.trim(),
        );
      case 'disallowed':
        throw new AppError('TOOL_DENIED', clearance.why);
      case 'known':
        return checked.input;
    }
  };
  return { invoke, clear };
}
