import { AppError } from '#contract/errors.ts';
import type { StepPath } from '../base/step-path.ts';
import { RunParked, RunSuspended } from '../hitl/types.ts';
import type { JournalEntry, RunJournal } from '../storage/types.ts';
import { lookContext } from './look-context.ts';
import type { PreparedCall } from './prepare-call.ts';
import { isMadeAgain, MADE_AGAIN, StoredOutput, StoredResult } from './stored-result.ts';
import type { CallContext, CallResult, Executed, ToolLedger } from './tool-pipeline.ts';
import type { ToolOutput } from './types.ts';

/** What the journal knows about a call that began: that it was about to happen, or what it gave. */
interface BegunCall {
  readonly hash: string;
  /** How often it was about to happen. */
  readonly attempts: number;
  readonly before: unknown;
  /** Its newest entry that is not an intent; null if it was interrupted. */
  readonly end: JournalEntry | null;
}

/**
 * Effects happen once. An intent is on disk before each, its result after. When a step is repeated after a
 * crash, a finished call gives its stored result, and an interrupted one is handled by the kind of its effect
 * (DESIGN §4): idempotent is repeated, probeable is probed, opaque asks the user. It is still the same call
 * where a secret in its arguments became known in between.
 */
export class DurableToolLedger implements ToolLedger {
  readonly #journal: RunJournal;

  constructor(journal: RunJournal) {
    this.#journal = journal;
  }

  resultOf(call: PreparedCall, { runId }: CallContext): StoredResult | null {
    const end = this.#find(call, runId)?.end ?? null;
    const hasResult = end?.kind === 'result' && !isMadeAgain(end.payload);
    return hasResult ? StoredResult.parse(end.payload) : null;
  }

  async around(
    call: PreparedCall,
    context: CallContext,
    run: (before: unknown) => Promise<ToolOutput>,
  ): Promise<Executed> {
    const { runId } = context;
    const { step, effect, tool } = call;
    const begun = this.#find(call, runId);
    const end = begun?.end ?? null;
    if (end?.kind === 'output') return { output: StoredOutput.parse(end.payload) };
    const stored = this.resultOf(call, context);
    // The user may have changed the arguments of the call that ran.
    if (stored !== null) return { stored };
    // A read can be repeated: it has no effect to double.
    if (effect === 'read') return { output: await run(null) };
    const hash = begun?.hash ?? call.argumentsSha256;
    if (begun !== null && end === null) {
      const happened = await this.#findOut(call, context, begun);
      if (happened !== null) return { output: happened };
    }
    const before =
      begun?.before ?? (await tool.before?.(call.input, lookContext(call, context, null))) ?? null;
    const intent = { toolName: tool.name, effect, before };
    context.commit(() =>
      this.#journal.append(runId, { step, kind: 'intent', hash, payload: intent }),
    );
    try {
      return { output: await run(before) };
    } catch (error) {
      const ends = (payload: unknown): void =>
        context.persist(() => this.#journal.append(runId, { step, kind: 'result', hash, payload }));
      if (context.signal.reason instanceof RunSuspended) {
        ends({ status: 'error', content: CUT_BY_CLOSING });
      } else if (error instanceof RunParked && tool.restartsAfterParking === true) {
        ends(MADE_AGAIN);
      }
      throw error;
    }
  }

  record(at: { step: StepPath; hash: string }, context: CallContext, result: CallResult): void {
    // A call that was interrupted is not over: it is found out about when the run goes on.
    if (result.status === 'cancelled') return;
    const { runId } = context;
    const { toolCallId: _id, toolName: _name, ...payload } = result;
    const last = this.#journal.at(runId, at.step, at.hash).at(-1);
    if (last?.kind === 'result' && !isMadeAgain(last.payload)) return;
    context.persist(() => this.#journal.append(runId, { ...at, kind: 'result', payload }));
  }

  #find({ step, argumentsSha256, givenSha256 }: PreparedCall, runId: string): BegunCall | null {
    // Stored with the secret, before it was known to be one; or without a hash, before version 10.
    const hashes = [...(givenSha256 === undefined ? [] : [givenSha256]), argumentsSha256, ''];
    let output: BegunCall | null = null;
    let interrupted: BegunCall | null = null;
    for (const hash of hashes) {
      const entries = this.#journal.at(runId, step, hash);
      const last = entries.at(-1);
      if (last === undefined) continue;
      const intents = entries.filter(({ kind }) => kind === 'intent');
      const { before = null } = (intents[0]?.payload ?? {}) as { readonly before?: unknown };
      const begun = { hash, attempts: intents.length, before };
      if (last.kind === 'result') return { ...begun, end: last };
      if (last.kind === 'output') output ??= { ...begun, end: last };
      else interrupted ??= { ...begun, end: null };
    }
    return output ?? interrupted;
  }

  /** The output of an interrupted call; null when it may be repeated. */
  async #findOut(
    call: PreparedCall,
    context: CallContext,
    { before, attempts }: BegunCall,
  ): Promise<ToolOutput | null> {
    if (call.effect === 'idempotent') return null;
    // Without the secret a probe would look for something else.
    const isWhole = call.givenSha256 === undefined;
    if (isWhole && call.effect === 'probeable' && call.tool.probe !== undefined) {
      return call.tool.probe(call.input, lookContext(call, context, before));
    }
    return askUser(call, context, attempts);
  }
}

const CUT_BY_CLOSING =
  'The app was closed while this ran, which stopped it. Check the current state, and repeat it if needed.';

const HAPPENED =
  'The app ended while this call was running. The user says that it happened; its output is lost. Check the current state before you go on.';

/** Throws `OUTCOME_UNKNOWN` where the user stops the run because of it. */
async function askUser(
  call: PreparedCall,
  context: CallContext,
  attempts: number,
): Promise<ToolOutput | null> {
  const response = await context.broker.ask(
    {
      // An answer about an earlier attempt does not count for this one.
      subject: `outcome of attempt ${attempts} at ${call.id}`,
      kind: 'decision',
      title: `Did ${call.tool.name} happen?`,
      message:
        'The app ended while this call was running, and cannot tell whether it was done. Look at the files of the task if you are not sure.',
      toolCallId: call.id,
      toolName: call.tool.name,
      risk: call.risk,
      reasons: [],
      argumentsText: call.argumentsText,
      argumentsSha256: call.argumentsSha256,
      options: [
        { value: 'happened', label: 'It happened', description: 'The agent goes on after it.' },
        { value: 'not_happened', label: 'It did not', description: 'The call is made again.' },
        { value: 'stop', label: 'Stop the run', description: 'Everything is kept as it is.' },
      ],
    },
    context,
  );
  if (response.action === 'select' && response.value === 'happened') {
    return { content: HAPPENED, ok: false };
  }
  if (response.action === 'select' && response.value === 'not_happened') return null;
  throw new AppError(
    'OUTCOME_UNKNOWN',
    `It is not known whether ${call.tool.name} was done when the app ended, and you stopped the run there. Look at the files, then send a new message to go on.`,
  );
}
