import { defined } from '#contract/defined.ts';
import { AppError } from '#contract/errors.ts';
import type { RunEventOf } from '#contract/events/run-event.ts';
import { isAbortError } from '../base/abort.ts';
import { canonicalJson } from '../base/canonical-json.ts';
import { RunningTime } from '../base/running-time.ts';
import { numberOf, parentOf, type StepPath } from '../base/step-path.ts';
import type { GuardReport, Guards } from '../guardrails/guards.ts';
import { isGoingOnLater } from '../hitl/types.ts';
import { ASKED_IN_SAME_ANSWER, CHECKPOINT_TOOL, isUserStop } from '../hitl/user-stops.ts';
import type { PictureRef } from '../models/pictures/picture-ref.ts';
import type { InvalidToolCall, ToolCall } from '../models/types.ts';
import { ALWAYS_ALLOWED } from '../skills/markdown/allowed-tools.ts';
import type { SkillSessions } from '../skills/markdown/skill-sessions.ts';
import type { GatedCall } from '../skills/markdown/tool-grant.ts';
import { type Clearance, clearCalls, type StandingAnswers } from './clear-call.ts';
import { passesThrough } from './fatal-codes.ts';
import { describeBlock, guardArguments, shownFindings } from './guard-call.ts';
import { lookContext } from './look-context.ts';
import { nestedCalls } from './nested-calls.ts';
import {
  type KnownTool,
  type PreparedCall,
  prepareCall,
  type RefusedCall,
} from './prepare-call.ts';
import { changedNote } from './review-arguments.ts';
import { runTool } from './run-tool.ts';
import { DEFAULT_RESULT_CHARS, shortenJson, shortenResult } from './shorten-result.ts';
import { failureText, type StoredResult } from './stored-result.ts';
import type { ToolContext, ToolOutput } from './types.ts';

/** The part of a call's context that comes from its run and answer. */
export type CallContext = Omit<
  ToolContext,
  'toolCallId' | 'step' | 'paths' | 'before' | 'seen' | 'isApproved' | 'invoke' | 'clear'
>;

/** What a tool gave now, or the result of the call from before a crash. */
export type Executed = { readonly output: ToolOutput } | { readonly stored: StoredResult };

/** Wraps every effect and keeps every result; implemented by the durable ledger. */
export interface ToolLedger {
  /** What a call gave before the app ended; null if it has no result. */
  resultOf(call: PreparedCall, context: CallContext): StoredResult | null;
  around(
    call: PreparedCall,
    context: CallContext,
    run: (before: unknown) => Promise<ToolOutput>,
  ): Promise<Executed>;
  /** Stores the result of the call at a step, with its event. */
  record(
    at: { readonly step: StepPath; readonly hash: string },
    context: CallContext,
    result: CallResult,
  ): void;
}

export interface CallResult {
  readonly toolCallId: string;
  readonly toolName: string;
  /** What the model reads. */
  readonly content: string;
  readonly status: RunEventOf<'tool_result'>['status'];
  /** Pictures of the result. */
  readonly pictures?: readonly PictureRef[];
  /** For a program that made the call: the whole output as JSON. */
  readonly data?: unknown;
  /** The user stopped the run before this call: its agent ends. */
  readonly ends?: true;
}

type ShownResult = Omit<
  RunEventOf<'tool_result'>,
  'type' | 'toolCallId' | 'name' | 'runId' | 'seq' | 'at'
> &
  Pick<CallResult, 'data' | 'ends' | 'pictures'>;

const NO_TOOLS: ReadonlyMap<string, KnownTool> = new Map();
const DISALLOWED: Clearance = {
  kind: 'disallowed',
  why: 'A skill did not allow this call when it was checked. Make it again.',
};
const WAITING: Clearance = { kind: 'disallowed', why: ASKED_IN_SAME_ANSWER };
const UNDECIDED: Clearance = { kind: 'denied', reason: 'It was not decided.' };
const NOT_SCANNED: GuardReport = { verdict: 'allow', findings: [] };

export interface ToolPipelineParts {
  readonly ledger: ToolLedger;
  readonly standing: StandingAnswers;
  readonly guards: Guards;
  /** Skill sessions of tasks; without them no call is disallowed. */
  readonly sessions?: Pick<SkillSessions, 'gate' | 'isBlocked'>;
}

/**
 * The seven steps of a tool call, the only way to run one. Exceptions of tools become results; aborts,
 * parking and errors that end the run pass through.
 */
export class ToolPipeline {
  readonly #ledger: ToolLedger;
  readonly #standing: StandingAnswers;
  readonly #guards: Guards;
  readonly #sessions: Pick<SkillSessions, 'gate' | 'isBlocked'> | null;

  constructor({ ledger, standing, guards, sessions }: ToolPipelineParts) {
    this.#sessions = sessions ?? null;
    this.#guards = guards;
    this.#ledger = ledger;
    this.#standing = standing;
  }

  /** Checks a call against the tools, with known secrets removed: what is shown is what runs. */
  prepare(
    call: ToolCall | InvalidToolCall,
    tools: ReadonlyMap<string, KnownTool>,
    step: StepPath,
  ): PreparedCall | RefusedCall {
    const clean = this.#guards.secrets.value(call);
    const prepared = prepareCall({ ...clean, id: call.id }, tools, step);
    if (clean === call || prepared.kind === 'refused') return prepared;
    const given = prepareCall(call, tools, step);
    return given.kind === 'refused'
      ? prepared
      : { ...prepared, givenSha256: given.argumentsSha256 };
  }

  /** Step 1: scans the calls of one answer, and asks where their risk or a rule says so. */
  async beforeExecution(
    calls: readonly PreparedCall[],
    context: CallContext,
    tools: ReadonlyMap<string, KnownTool>,
  ): Promise<Clearance[]> {
    // The user is not asked about calls that a skill disallows.
    const gated = calls.map(gatedCall);
    const isAsking = calls.some(({ tool }) => tool.name === CHECKPOINT_TOOL);
    const waits = ({ tool, effect }: PreparedCall): boolean =>
      isAsking && effect !== 'read' && !ALWAYS_ALLOWED.has(tool.name);
    const isBlocked = gated.map(
      (call, i) => this.#sessions?.isBlocked(call, context, gated.slice(0, i)) === true,
    );
    const known = calls.map((call) => this.#ledger.resultOf(call, context));
    const asked = calls.filter(
      (call, i) => known[i] === null && isBlocked[i] !== true && !waits(call),
    );
    const parts = { standing: this.#standing, guards: this.#guards, tools };
    const cleared = (await clearCalls(asked, context, parts)).values();
    return known.map((result, i) => {
      if (result !== null) return { kind: 'known', result };
      if (isBlocked[i] === true) return DISALLOWED;
      const call = calls[i];
      if (call !== undefined && waits(call)) return WAITING;
      return cleared.next().value ?? UNDECIDED;
    });
  }

  /** Steps 2 to 7 of a cleared call; for a denied one, the model gets the denial. */
  async execute(
    asked: PreparedCall,
    clearance: Exclude<Clearance, { kind: 'parked' }>,
    context: CallContext,
    tools: ReadonlyMap<string, KnownTool> = NO_TOOLS,
  ): Promise<CallResult> {
    const call = clearance.kind === 'cleared' ? clearance.call : asked;
    this.#onToolCall(call, context);
    using time = new RunningTime();
    if (clearance.kind === 'known') return this.#onStored(call, context, clearance.result);
    if (clearance.kind === 'denied') {
      const reason = clearance.reason === '' ? 'No reason given.' : clearance.reason;
      return this.#onToolResult(call, context, {
        status: 'denied',
        content: `The user did not allow this call: ${reason} Do not try the same by other means.`,
        errorCode: 'TOOL_DENIED',
        durationMs: 0,
      });
    }
    try {
      // Scan what is about to run, no matter what was scanned or approved before.
      const report = this.#reportOf(call, clearance, context);
      if (report.verdict === 'block') return this.#onBlocked(call, context, report);
      // A disallowed call has no effect, so nobody needs to be asked about it after a crash.
      const entered: PreparedCall =
        clearance.kind === 'disallowed' ? { ...call, effect: 'idempotent' } : call;
      const executed = await this.#ledger.around(entered, context, async (before) => {
        this.#passGate(call, clearance, context);
        return await runTool(call, context, () =>
          call.tool.run(call.input, {
            ...lookContext(call, context, before),
            isApproved: clearance.kind === 'cleared' && clearance.approvedSha256 !== null,
            ...nestedCalls(call, context, { pipeline: this, tools }),
          }),
        );
      });
      if ('stored' in executed) return this.#onStored(call, context, executed.stored);
      const output = this.#guards.secrets.value(executed.output);
      this.#afterExecution(output, context);
      const limit = call.tool.maxResultChars ?? DEFAULT_RESULT_CHARS;
      const shorten = call.tool.givesJson === true ? shortenJson : shortenResult;
      const { content: shortened, omittedChars } = shorten(output.content, limit);
      const guard = this.#guardResult(shortened, { call, output, context });
      const { content: guarded, findings } = guard;
      const isChanged = call.argumentsSha256 !== asked.argumentsSha256;
      const content = isChanged ? `${changedNote(call)}\n${guarded}` : guarded;
      // What is withheld from the model is withheld from its scripts too.
      const isWithheld = guard.verdict === 'block';
      const data = isWithheld ? undefined : output.data;
      const pictures = isWithheld ? undefined : output.pictures;
      const result = defined({
        status: output.ok === false ? 'error' : 'ok',
        content,
        durationMs: time.passedMs,
        sandboxLevel: output.sandboxLevel,
        omittedChars: omittedChars === 0 ? undefined : omittedChars,
        ...shownFindings([...report.findings, ...findings]),
        data,
        pictures,
      });
      return this.#onToolResult(call, context, result);
    } catch (error) {
      const durationMs = time.passedMs;
      return this.#onFailure(error, { call, context, durationMs });
    }
  }

  /** A call that could not be prepared: emitted, with its problem as the result. */
  refuse(call: RefusedCall, context: CallContext): CallResult {
    const { id, name, given, code, problem, step } = call;
    const shown = { toolCallId: id, name };
    context.emit({
      type: 'tool_call',
      ...shown,
      arguments: { ...given },
      risk: 'low',
      effect: 'read',
      agent: context.agent,
      round: numberOf(context.answer),
    });
    const result: CallResult = {
      toolCallId: id,
      toolName: name,
      content: problem,
      status: 'error',
    };
    this.#ledger.record({ step, hash: '' }, context, result);
    context.emit({
      type: 'tool_result',
      ...shown,
      status: 'error',
      content: problem,
      errorCode: code,
      durationMs: 0,
    });
    return result;
  }

  /** Step 3. */
  #onToolCall({ id, tool, input, risk, effect }: PreparedCall, context: CallContext): void {
    context.emit({
      type: 'tool_call',
      toolCallId: id,
      name: tool.name,
      arguments: { ...input },
      risk,
      effect,
      agent: context.agent,
      round: numberOf(context.answer),
    });
  }

  /**
   * Every call passes through here, inside the ledger: a call from before a crash keeps its result, whatever
   * the skill allows now. Throws `TOOL_DENIED`.
   */
  #passGate(call: PreparedCall, clearance: Clearance, context: CallContext): void {
    this.#sessions?.gate(gatedCall(call), { ...context, toolCallId: call.id });
    if (clearance.kind === 'disallowed') throw new AppError('TOOL_DENIED', clearance.why);
  }

  #reportOf(
    call: PreparedCall,
    clearance: Extract<Clearance, { kind: 'cleared' | 'blocked' | 'disallowed' }>,
    context: CallContext,
  ): GuardReport {
    if (clearance.kind === 'blocked') return clearance.report;
    return clearance.kind === 'disallowed'
      ? NOT_SCANNED
      : this.#finalReport(call, clearance, context);
  }

  /** The guardrails' report on exactly the bytes that would run. Throws where they are not the cleared ones. */
  #finalReport(
    call: PreparedCall,
    { approvedSha256 }: Extract<Clearance, { kind: 'cleared' }>,
    { egress }: CallContext,
  ): GuardReport {
    const argumentsText = canonicalJson(call.input);
    const cleared = approvedSha256 ?? call.argumentsSha256;
    if (argumentsText !== call.argumentsText || call.argumentsSha256 !== cleared) {
      throw new AppError('APPROVAL_MISMATCH', 'This call is not the one that was approved.');
    }
    return guardArguments(this.#guards, { tool: call.tool, argumentsText }, egress.policy);
  }

  #onBlocked(call: PreparedCall, context: CallContext, report: GuardReport): CallResult {
    return this.#onToolResult(call, context, {
      status: 'denied',
      content: describeBlock(report),
      errorCode: 'GUARDRAIL_BLOCKED',
      durationMs: 0,
      ...shownFindings(report.findings),
    });
  }

  /** Step 5. */
  #afterExecution(output: ToolOutput, context: CallContext): void {
    if (output.untrusted !== undefined) context.taint.add(output.untrusted);
    // Nobody can say who wrote what is to be read in a picture.
    const pictures = output.ownPictures === true ? [] : (output.pictures ?? []);
    for (const { name } of pictures) context.taint.add(name);
    for (const event of output.events ?? []) context.emit(event);
  }

  /**
   * Step 6: third-party text is marked as data. All output of a task that holds such text is scanned, since a
   * program may print it.
   */
  #guardResult(
    content: string,
    {
      call,
      output: { untrusted },
      context,
    }: { call: PreparedCall; output: ToolOutput; context: CallContext },
  ) {
    const isOwn = call.tool.givesReviewed === true || context.taint.sources().length === 0;
    if (untrusted === undefined && isOwn) {
      return { content, findings: [], verdict: 'allow' as const };
    }
    return this.#guards.result(content, {
      toolCallId: call.id,
      untrusted: untrusted ?? null,
    });
  }

  /** Step 7. */
  #onToolResult(
    call: PreparedCall,
    context: CallContext,
    { data, ends, pictures, ...shown }: ShownResult,
  ): CallResult {
    const { id, tool, step, argumentsSha256: hash, effect } = call;
    const { content, status } = shown;
    const more = defined({ ends, pictures });
    const result: CallResult = { toolCallId: id, toolName: tool.name, content, status, ...more };
    const whole = data === undefined ? result : { ...result, data };
    const isOwnRead = effect === 'read' && parentOf(step) === context.answer;
    // What a read gave is part of a conversation; programs also use its data. Research stores what it found.
    if (!isOwnRead) this.#ledger.record({ step, hash }, context, whole);
    else if (context.agent === 'executor') this.#ledger.record({ step, hash }, context, result);
    context.emit({ type: 'tool_result', toolCallId: id, name: tool.name, ...shown });
    return whole;
  }

  /** The log has its event already, unless the app was closed before it could be written. */
  #onStored({ id, tool }: PreparedCall, context: CallContext, stored: StoredResult): CallResult {
    const { status, content } = stored;
    const shown = { toolCallId: id, name: tool.name };
    context.emit({ type: 'tool_result', ...shown, status, content, durationMs: 0 });
    return { toolCallId: id, toolName: tool.name, ...stored };
  }

  #onFailure(
    error: unknown,
    at: { call: PreparedCall; context: CallContext; durationMs: number },
  ): CallResult {
    const { call, context, durationMs } = at;
    // The call is repeated when the run goes on, and gets its result then.
    if (isGoingOnLater(error)) throw error;
    const cancelled = context.signal.aborted || isAbortError(error);
    const code = error instanceof AppError ? error.code : 'TOOL_FAILED';
    const content = cancelled
      ? 'Cancelled before it was done.'
      : this.#guards.secrets.text(failureText(error));
    const result = this.#onToolResult(call, context, {
      status: cancelled ? 'cancelled' : 'error',
      content,
      errorCode: cancelled ? 'CANCELLED' : code,
      durationMs,
      ...(isUserStop(error) ? { ends: true as const } : {}),
    });
    if (cancelled || passesThrough(error)) throw error;
    return result;
  }
}

function gatedCall({ tool, input, effect }: PreparedCall): GatedCall {
  return { name: tool.name, input, isRead: effect === 'read' };
}
