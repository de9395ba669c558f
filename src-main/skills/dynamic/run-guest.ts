import { AppError } from '#contract/errors.ts';
import type { SkillCapability } from '#contract/skills.ts';
import { sha256 } from '../../base/canonical-json.ts';
import type { JsonObject, SkillContext } from '../types.ts';
import { Bridge } from './bridge.ts';
import type { GuestLimits } from './limits.ts';
import { isPlainObject, measureJson, readPlainJson } from './plain-json.ts';
import { schemaParts } from './plain-schema.ts';
import type { SkillThreads } from './skill-threads.ts';
import type { GuestEnd } from './worker-messages.ts';

export interface GuestProgram {
  readonly javascript: string;
  /** A JSON Schema, of plain keywords. */
  readonly outputSchema: Readonly<Record<string, unknown>>;
  readonly asked: readonly SkillCapability[];
  readonly granted: readonly SkillCapability[];
}

export interface GuestRoom {
  readonly threads: SkillThreads;
  readonly limits: GuestLimits;
}

/**
 * Runs a program from the top in a fresh engine and returns its output. An execution that resumes after a
 * crash also runs from the top: its clock and random seed follow from the execution and its calls are found in
 * the journal, so that it does the same, and nothing twice.
 */
export async function runGuest(
  { javascript, outputSchema, asked, granted }: GuestProgram,
  given: { readonly params: JsonObject; readonly context: SkillContext },
  { threads, limits }: GuestRoom,
): Promise<JsonObject> {
  const { params, context } = given;
  const at = await context.once('start of the guest', async () => Date.now());
  const seed = Number.parseInt(sha256(context.executionId).slice(0, 8), 16);
  const fatal = new AbortController();
  const over = new AbortController();
  const bridge = new Bridge({
    context,
    asked,
    granted,
    limits,
    over: over.signal,
    onFatal: (error) => fatal.abort(error),
  });
  try {
    const end = await threads.use((thread) =>
      thread.run(
        { javascript, params: JSON.stringify(params), start: { at, seed }, limits },
        {
          signal: AbortSignal.any([context.signal, fatal.signal]),
          onCall: (call) => bridge.handle(call, (answer) => thread.answer(answer)),
        },
      ),
    );
    return outputOf(end, bridge, outputSchema);
  } finally {
    over.abort(new AppError('CANCELLED', 'The skill that called it has ended.'));
    await bridge.settled();
  }
}

/** Values of an output times parts of its schema: checking them blocks the app. */
const MAX_CHECKS = 500_000;

function outputOf(
  end: GuestEnd,
  bridge: Bridge,
  outputSchema: Readonly<Record<string, unknown>>,
): JsonObject {
  if (!end.ok) {
    const { code, message, claimedCode, line } = end;
    const reported = code === 'SKILL_FAILED' ? bridge.codeOf(claimedCode) : null;
    throw new AppError(reported ?? code, line === null ? message : `Line ${line}: ${message}`);
  }
  const { values } = measureJson(end.output);
  const parts = schemaParts(outputSchema);
  if (values * parts > MAX_CHECKS) {
    throw new AppError(
      'SKILL_OUTPUT_INVALID',
      `The output has up to ${values} values and its schema ${parts} parts, which is too much to check. Write long data to a file.`,
    );
  }
  let output: unknown;
  try {
    output = readPlainJson(end.output);
  } catch (error) {
    const text = error instanceof Error ? error.message : 'It is not JSON.';
    throw new AppError('SKILL_OUTPUT_INVALID', `The output cannot be read: ${text}`);
  }
  if (isPlainObject(output)) return output;
  throw new AppError('SKILL_OUTPUT_INVALID', 'The output is not an object.');
}
