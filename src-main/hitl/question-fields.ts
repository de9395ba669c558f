import type { WaitingQuestion } from '#contract/events/hitl.ts';
import type { InterruptKind } from '#contract/vocabulary.ts';
import type { Question } from './types.ts';

/** How long a question waits for attention, in ms, before its run is parked. */
const ATTENTION_MS: Readonly<Record<InterruptKind, number>> = {
  approval: 120_000,
  decision: 300_000,
  input: 300_000,
  confirm: 120_000,
  checkpoint: 300_000,
};

export function attentionMs(kind: InterruptKind): number {
  return ATTENTION_MS[kind];
}

/** A question as in events and the inbox. */
export type QuestionFields = Omit<
  WaitingQuestion,
  'runId' | 'threadId' | 'threadTitle' | 'askedAt'
>;

export function questionFields(interruptId: string, question: Question): QuestionFields {
  const { subject: _subject, reasons, options, rulePatterns, parameters, ...rest } = question;
  return {
    ...rest,
    interruptId,
    reasons: [...reasons],
    options: [...options],
    ...(rulePatterns === undefined ? {} : { rulePatterns: [...rulePatterns] }),
    ...(parameters === undefined ? {} : { parameters: { ...parameters } }),
    attentionMs: attentionMs(question.kind),
  };
}
