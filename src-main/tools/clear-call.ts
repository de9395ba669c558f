import { defined } from '#contract/defined.ts';
import type { ApprovalRule, RulePattern } from '#contract/entities.ts';
import type { InterruptResponse } from '#contract/events/hitl.ts';
import type { NetworkPolicy, PolicyLevel } from '#contract/vocabulary.ts';
import { sha256 } from '../base/canonical-json.ts';
import type { GuardReport, Guards } from '../guardrails/guards.ts';
import { judge, shownSources, type Verdict } from '../hitl/approval-rules.ts';
import { type Question, RunParked } from '../hitl/types.ts';
import { withInRun } from './call-in-run.ts';
import { reachOf } from './exits.ts';
import { guardArguments, withRaisedRisk } from './guard-call.ts';
import { lookContext } from './look-context.ts';
import { detours, withOpenedPaths } from './opened-paths.ts';
import type { KnownTool, PreparedCall } from './prepare-call.ts';
import { reviewArguments } from './review-arguments.ts';
import type { StoredResult } from './stored-result.ts';
import type { CallContext } from './tool-pipeline.ts';

/** Whether a call may run, and if not, why. */
export type Clearance =
  | {
      readonly kind: 'cleared';
      /** With the user's arguments where they edited the model's. */
      readonly call: PreparedCall;
      readonly approvedSha256: string | null;
    }
  | { readonly kind: 'denied'; readonly reason: string }
  /** Nobody is asked: the guardrails are certain, or could not scan it. */
  | { readonly kind: 'blocked'; readonly report: GuardReport }
  /** Nobody is asked: a skill in effect does not allow it, or it waits for a checkpoint of its own answer. */
  | { readonly kind: 'disallowed'; readonly why: string }
  /** Nobody is asked: it has its result, from before the app ended, whatever holds now. */
  | { readonly kind: 'known'; readonly result: StoredResult }
  /** The user is away: the run is parked, and the call with it. */
  | { readonly kind: 'parked'; readonly parked: RunParked };

/** What the user decided beforehand. */
export interface StandingAnswers {
  readonly rules: () => readonly ApprovalRule[];
  /** The approval level of a task; null where nobody has chosen. */
  readonly level: (threadId: string) => PolicyLevel | null;
}

/** What programs can do, by the network policy of their run. */
const IN_SANDBOX: Readonly<Record<NetworkPolicy, string>> = {
  offline:
    'It runs inside the sandbox of this task: it can change the files of the task and nothing else.',
  allowlist:
    'It runs inside the sandbox of this task: it can change the files of the task, send to the hosts that the task may reach, and nothing else.',
  open: 'It runs inside the sandbox of this task: it can change the files of the task, and send to anything public.',
};
/** For a run with a network whose task holds third-party text: approval covers only hosts that the user can see. */
const IN_NARROWED_SANDBOX =
  'It runs inside the sandbox of this task: it can change the files of the task, send to the hosts named in its text and to those that you named, and nothing else.';

export interface ClearingParts {
  readonly standing: StandingAnswers;
  readonly guards: Guards;
  readonly tools: ReadonlyMap<string, KnownTool>;
}

/**
 * Asks the user about the calls of one answer where their risk, the user's rules and the run's
 * options say so: all together, in the order of the calls. Rejects with the first failure, once no
 * question is open any more.
 */
export async function clearCalls(
  calls: readonly PreparedCall[],
  context: CallContext,
  parts: ClearingParts,
): Promise<Clearance[]> {
  const level = parts.standing.level(context.threadId);
  const judged = await Promise.all(
    calls.map(async (asked): Promise<JudgedCall> => {
      const given = await withOpenedPaths(asked, context);
      const report = guardArguments(parts.guards, given, context.egress.policy);
      const call = withRaisedRisk(given, report);
      const verdict =
        report.verdict === 'block'
          ? ASKS_NOBODY
          : await judgeCall(call, report, { context, standing: parts.standing });
      const needsQuestion = verdict.kind !== 'run' || verdict.by === 'rule';
      if (!needsQuestion || report.verdict === 'block') {
        return { call, verdict, report, question: null };
      }
      const judged = verdict.kind === 'ask' ? verdict.reasons : [];
      const found = report.findings.map(({ message }) => message);
      const reasons = [...judged, ...narrowed(call, context), ...detours(call), ...found];
      const why = verdict.kind === 'ask' ? verdict.why : undefined;
      const question = await describeCall(call, { reasons, ...defined({ why }) }, context);
      return { call, verdict, report, question };
    }),
  );
  const settled = await Promise.allSettled(judged.map((one) => settleCall(one, context, parts)));
  const cleared = settled.map((one) => {
    if (one.status === 'rejected') throw one.reason;
    return one.value;
  });
  if (parts.standing.level(context.threadId) === level) return cleared;
  // Chosen while questions were open: it counts for the calls that nobody was asked about.
  const isUnseen = judged.map(
    ({ question, report }) => question === null && report.verdict !== 'block',
  );
  const unseen = calls.filter((_call, i) => isUnseen[i] === true);
  const again = (await clearCalls(unseen, context, parts)).values();
  return cleared.map((one, i) => (isUnseen[i] === true ? (again.next().value ?? one) : one));
}

interface JudgedCall {
  readonly call: PreparedCall;
  readonly verdict: Verdict;
  readonly report: GuardReport;
  /** Null where nothing is asked or noted. */
  readonly question: Question | null;
}

async function settleCall(
  { call, verdict, report, question }: JudgedCall,
  context: CallContext,
  parts: ClearingParts,
): Promise<Clearance> {
  if (report.verdict === 'block') return { kind: 'blocked', report };
  if (question === null) return { kind: 'cleared', call, approvedSha256: null };
  if (verdict.kind === 'ask') {
    try {
      const response = await context.broker.ask(question, context);
      return await toClearance(call, response, { ...parts, context });
    } catch (error) {
      if (error instanceof RunParked) return { kind: 'parked', parked: error };
      throw error;
    }
  }
  const response: InterruptResponse =
    verdict.kind === 'deny'
      ? { action: 'deny', reason: verdict.reason }
      : { action: 'approve', argumentsSha256: call.argumentsSha256, always: false };
  const by = verdict.kind === 'deny' ? verdict.by : 'rule';
  context.broker.note(question, { response, by }, context);
  return toClearance(call, response, { ...parts, context });
}

/** A call that the guardrails stop has no verdict of its own. */
const ASKS_NOBODY: Verdict = { kind: 'run', by: 'risk' };
const ASKED_BEFORE = 'You were asked about this call before.';

async function judgeCall(
  call: PreparedCall,
  report: GuardReport,
  { context, standing }: { readonly context: CallContext; readonly standing: StandingAnswers },
): Promise<Verdict> {
  const { threadId, runId, approve, taint, broker, resumed } = context;
  const judged = { ...call, toolName: call.tool.name, ...reachOf(call, report, context) };
  const under = (level: PolicyLevel | null): Verdict =>
    judge(judged, call.risk, {
      ...{ rules: standing.rules(), level, threadId, approve, taint: taint.sources() },
    });
  const level = standing.level(threadId);
  const chosen = under(level);
  const isContained = level === 'ask_on_exit' || level === 'unattended';
  const verdict =
    isContained && isFree(chosen) && call.risk !== 'low'
      ? await whereContained(chosen, under('ask_every_time'), context)
      : chosen;
  // A level may have become freer since: an open question stays open, and its answer counts.
  const wasAsked = resumed && isFree(verdict) && broker.hasAsked(subjectOf(call), runId);
  if (wasAsked) return { kind: 'ask', reasons: [], why: ASKED_BEFORE };
  return await withDoubt(verdict, call, context);
}

function isFree(verdict: Verdict): boolean {
  return verdict.kind === 'run' && verdict.by === 'risk';
}

/** The free verdict of a level that trusts the sandbox; the strict one where that is not certain. */
async function whereContained(
  free: Verdict,
  strict: Verdict,
  { sandbox, signal, pause }: CallContext,
): Promise<Verdict> {
  if (isFree(strict)) return free;
  const doubt = await sandbox.whyUncontained(AbortSignal.any([signal, pause]));
  if (doubt === null) return free;
  if (strict.kind !== 'ask') return strict;
  return {
    ...strict,
    why: `You chose to be asked only when something leaves the sandbox, but ${doubt}.`,
  };
}

/**
 * The verdict on a call that leaves this computer after third-party text came into the task: if the user would
 * not be asked, it has to convince a second model, where there is one. This can only add a question.
 */
async function withDoubt(
  verdict: Verdict,
  call: PreparedCall,
  context: CallContext,
): Promise<Verdict> {
  const { secondOpinion, taint, approve, egress } = context;
  const isAsked = verdict.kind !== 'run' || approve === 'all' || taint.sources().length === 0;
  if (secondOpinion === null || isAsked || egress.policy === 'offline' || !leaves(call)) {
    return verdict;
  }
  const doubt = await secondOpinion(
    { ...call, toolName: call.tool.name },
    AbortSignal.any([context.signal, context.pause]),
  );
  if (doubt === null) return verdict;
  if (approve === 'never') return { kind: 'deny', by: 'policy', reason: doubt };
  return { kind: 'ask', reasons: [doubt] };
}

function leaves({ subjects, tool }: PreparedCall): boolean {
  return tool.isLook !== true && (subjects.hosts ?? []).length > 0;
}

/** Why the user is asked about a host although the network of the task is open. */
function narrowed(call: PreparedCall, { egress, taint }: CallContext): string[] {
  const isOpen = egress.isNarrowed && egress.policy !== 'offline';
  // A call with an exit of its own may act on a host that is allowed.
  if (!isOpen || call.risk !== 'high' || !leaves(call) || call.inRun?.exit !== undefined) return [];
  return [
    `The network of this task is open, but the task contains text from others (${shownSources(taint.sources())}), and you have not named this host.`,
  ];
}

async function toClearance(
  call: PreparedCall,
  response: InterruptResponse,
  { tools, guards, context }: ClearingParts & { readonly context: CallContext },
): Promise<Clearance> {
  if (response.action !== 'approve') {
    return { kind: 'denied', reason: response.action === 'deny' ? response.reason : '' };
  }
  const { edited, argumentsSha256 } = response;
  if (edited === undefined) return { kind: 'cleared', call, approvedSha256: argumentsSha256 };
  // Checked and scanned again: an older version may have stored the answer.
  const reviewed = withInRun(reviewArguments({ tools, guards }, call, edited), context);
  const changed = await withOpenedPaths(reviewed, context);
  const raised = withRaisedRisk(changed, guardArguments(guards, changed, context.egress.policy));
  return { kind: 'cleared', call: raised, approvedSha256: argumentsSha256 };
}

async function describeCall(
  call: PreparedCall,
  why: Pick<Question, 'reasons' | 'why'>,
  context: CallContext,
): Promise<Question> {
  const change = await call.tool.preview?.(call.input, lookContext(call, context, null));
  const patterns = otherPatterns(call);
  return {
    subject: subjectOf(call),
    kind: 'approval',
    title: call.inRun?.question ?? call.tool.question?.(call.input) ?? `Allow ${call.tool.name}?`,
    message: call.inRun?.notice ?? call.tool.notice?.(call.input) ?? inSandbox(context),
    toolCallId: call.id,
    toolName: call.tool.name,
    risk: call.risk,
    ...why,
    argumentsText: call.argumentsText,
    argumentsSha256: call.argumentsSha256,
    ...(call.rulePattern === null ? {} : { rulePattern: call.rulePattern }),
    ...(patterns.length === 0 ? {} : { rulePatterns: patterns }),
    batchId: `${context.runId}-r${context.answer}`,
    ...(change == null ? {} : { change }),
    options: [],
  };
}

/** An answer about another file, or another button, does not count for this one. */
function subjectOf(call: PreparedCall): string {
  const { question, notice } = call.inRun ?? {};
  const shown = question === undefined ? [] : [sha256(`${question}\n${notice ?? ''}`)];
  return [call.id, call.argumentsSha256, ...shown, ...detours(call)].join(' ');
}

function inSandbox({ egress: { areProgramsNarrowed, policy } }: CallContext): string {
  return areProgramsNarrowed && policy !== 'offline' ? IN_NARROWED_SANDBOX : IN_SANDBOX[policy];
}

/** What else a rule about this call could match. */
function otherPatterns({ subjects, widerPattern }: PreparedCall): RulePattern[] {
  const { paths = [], opened = paths, hosts = [], argv = null } = subjects;
  return [
    ...(widerPattern === null ? [] : [{ match: 'arguments' as const, pattern: widerPattern }]),
    ...(argv === null ? [] : [{ match: 'argv' as const, pattern: JSON.stringify(argv) }]),
    ...opened.slice(0, 1).map((path) => ({ match: 'path' as const, pattern: path })),
    ...hosts.slice(0, 1).map((host) => ({ match: 'host' as const, pattern: host })),
  ];
}
