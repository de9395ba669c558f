import { AppError } from '#contract/errors.ts';
import { isGoingOnLater, RunParked, RunSuspended } from '../hitl/types.ts';
import type { LedgerEntry, LedgerKey, LedgerStore } from '../storage/types.ts';
import { questionContext } from './clear-call.ts';
import { lookContext } from './look-context.ts';
import type { PreparedCall } from './prepare-call.ts';
import { failureText, isMadeAgain, MADE_AGAIN, StoredOutput } from './stored-output.ts';
import type { CallContext, ToolLedger } from './tool-pipeline.ts';
import type { ToolOutput } from './types.ts';

/**
 * Effects happen once. An intent is on disk before each, its result after. When a step is repeated after a
 * crash, a finished call gives its stored result, and an interrupted one is handled by the kind of its effect
 * (DESIGN §4): idempotent is repeated, probeable is probed, opaque asks the user. It is still the same call
 * where a secret in its arguments became known in between.
 */
export class DurableToolLedger implements ToolLedger {
  readonly #store: LedgerStore;

  constructor(store: LedgerStore) {
    this.#store = store;
  }

  async around(
    call: PreparedCall,
    context: CallContext,
    run: (before: unknown) => Promise<ToolOutput>,
  ): Promise<ToolOutput> {
    // A read can be repeated: it has no effect to double.
    if (call.effect === 'read') return run(null);
    const { runId, round } = context;
    const { index: callIndex, argumentsSha256, givenSha256 } = call;
    const own: LedgerKey = { runId, round, callIndex, argumentsSha256 };
    const given = givenSha256 === undefined ? null : { ...own, argumentsSha256: givenSha256 };
    // Stored with the secret, before it was known to be one.
    const isFromBefore = given !== null && this.#store.find(given) !== null;
    const key = isFromBefore ? given : own;
    const entry = this.#store.find(key);
    if (entry?.state === 'done' && !isMadeAgain(entry.output)) {
      return StoredOutput.parse(entry.output);
    }
    if (entry?.state === 'intended') {
      const happened = await this.#findOut(call, context, entry);
      if (happened !== null) {
        context.persist(() => this.#store.finish(key, happened));
        return happened;
      }
    }
    const { effect, tool } = call;
    const before =
      (entry?.state === 'intended' ? entry.before : null) ??
      (await tool.before?.(call.input, lookContext(call, context, null))) ??
      null;
    context.commit(() => this.#store.intend(key, { toolName: tool.name, effect, before }));
    try {
      const output = await run(before);
      context.persist(() => this.#store.finish(key, output));
      return output;
    } catch (error) {
      // A failure is a known outcome, and the model can check what it left; an interrupted call is not.
      const isKnown = !context.signal.aborted && !isGoingOnLater(error);
      const closed = context.signal.reason instanceof RunSuspended;
      if (error instanceof RunParked && call.tool.restartsAfterParking === true) {
        context.persist(() => this.#store.finish(key, MADE_AGAIN));
      }
      if (isKnown || closed) {
        const content = closed ? CUT_BY_CLOSING : failureText(error);
        context.persist(() => this.#store.finish(key, { content, ok: false }));
      }
      throw error;
    }
  }

  /** The output of an interrupted call; null when it may be repeated. */
  async #findOut(
    call: PreparedCall,
    context: CallContext,
    { before, attempts }: Extract<LedgerEntry, { state: 'intended' }>,
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
    questionContext(context),
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
