import { AppError } from '#contract/errors.ts';
import { inPieces } from '../base/in-pieces.ts';
import type { Guards } from '../guardrails/guards.ts';
import type { OutputGuard } from '../guardrails/output-guard.ts';
import type { Finding } from '../guardrails/scanner.ts';
import { knownContacts } from './known-contacts.ts';
import { withPartial } from './server-errors.ts';
import type { ChatModel, ModelProgress, ModelReply, ModelRequest, SendOptions } from './types.ts';

export interface GuardedModelParts {
  readonly guards: Guards;
  /** Called with the findings in an answer, to be shown to the user. */
  readonly onFindings: (findings: readonly Finding[]) => void;
}

/**
 * Wraps `model` so that the guardrails check its answers before anything else sees them: the stream, the
 * reply, and the partial text in an error. Throws `GUARDRAIL_BLOCKED` for an answer that is blocked.
 * Arguments of calls pass unchecked, because the tool pipeline checks those.
 */
export function guardedModel(
  model: ChatModel,
  { guards, onFindings }: GuardedModelParts,
): ChatModel {
  return {
    ref: model.ref,
    profile: model.profile,
    get contextWindow() {
      return model.contextWindow;
    },
    send: async (request, options) => {
      const isKnown = knownContacts(request.messages);
      const guard = guards.openOutput(isKnown);
      // The complete reply has its own guard, because not every server streams all of its answer.
      const whole = guards.openOutput(isKnown);
      if (guard === null || whole === null) return model.send(request, options);
      try {
        return await guardedReply(await sendGuarded(model, request, { options, guard }), whole);
      } catch (error) {
        throw await guardedError(error, whole);
      } finally {
        const found = new Map([...guard.findings, ...whole.findings].map((one) => [one.rule, one]));
        const { verdict, findings } = guards.outputReport([...found.values()]);
        if (verdict !== 'allow') onFindings(findings);
      }
    },
    [Symbol.asyncDispose]: () => model[Symbol.asyncDispose](),
  };
}

/** Streams through the guard. Blocking an answer closes its connection. */
async function sendGuarded(
  model: ChatModel,
  request: ModelRequest,
  { options, guard }: { options: SendOptions; guard: OutputGuard },
): Promise<ModelReply> {
  const stop = new AbortController();
  const emitText = (text: string): void => {
    if (text !== '') options.onProgress({ kind: 'text', text });
    if (guard.blocked !== null) stop.abort(blockedError(guard.blocked));
  };
  const emitReasoning = (text: string): void => {
    if (text !== '') options.onProgress({ kind: 'reasoning', text });
  };
  const onProgress = (progress: ModelProgress): void => {
    switch (progress.kind) {
      case 'text':
        // All of the reasoning is emitted before the first text.
        emitReasoning(guard.endReasoning());
        emitText(guard.text(progress.text));
        break;
      case 'reasoning':
        emitReasoning(guard.reasoning(progress.text));
        break;
      case 'waiting':
      case 'retrying':
        options.onProgress(progress);
        break;
    }
  };
  try {
    const signal = AbortSignal.any([options.signal, stop.signal]);
    return await model.send(request, { signal, onProgress });
  } catch (error) {
    throw stop.signal.aborted ? stop.signal.reason : error;
  } finally {
    emitReasoning(guard.endReasoning());
    emitText(guard.endText());
  }
}

async function guardedReply(reply: ModelReply, guard: OutputGuard): Promise<ModelReply> {
  const content = await guardedText(reply.content, guard);
  if (guard.blocked !== null) throw blockedError(guard.blocked);
  let reasoning = '';
  await inPieces(reply.reasoning, (piece) => {
    reasoning += guard.reasoning(piece);
  });
  return { ...reply, content, reasoning: reasoning + guard.endReasoning() };
}

async function guardedError(error: unknown, guard: OutputGuard): Promise<unknown> {
  if (!(error instanceof AppError) || typeof error.details.partial !== 'string') return error;
  return withPartial(error, await guardedText(error.details.partial, guard));
}

async function guardedText(text: string, guard: OutputGuard): Promise<string> {
  let given = '';
  await inPieces(text, (piece) => {
    given += guard.text(piece);
  });
  return given + guard.endText();
}

function blockedError({ rule, message }: Finding): AppError {
  return new AppError(
    'GUARDRAIL_BLOCKED',
    `The guardrails stopped this answer (${rule}): ${message} If that is wrong, set the guardrails to warn in the settings, under Guardrails, and try again.`,
    { details: { rules: [rule] } },
  );
}
