import type { OpenQuestion } from './selectors.ts';

/** What a message does to the questions on the screen: it answers one, or denies the calls asked about. */
export type WordsTarget =
  | {
      readonly kind: 'answer';
      readonly question: OpenQuestion;
      /** The words agree to a checkpoint, and say what to change about it. */
      readonly isChange: boolean;
    }
  | { readonly kind: 'denial'; readonly questions: readonly OpenQuestion[] };

/** The questions that are shown on one card: the oldest, or the approvals of one answer. */
export function shownTogether(questions: readonly OpenQuestion[]): readonly OpenQuestion[] {
  const [first] = questions;
  return questions.filter(
    ({ batchId, interruptId }) =>
      interruptId === first?.interruptId || (batchId !== undefined && batchId === first?.batchId),
  );
}

/** Which questions these are, as one text: those of one script share a batch, though each is another call. */
export function idsOf(questions: readonly OpenQuestion[]): string {
  return questions.map(({ interruptId }) => interruptId).join();
}

/**
 * What words mean to the questions of a card; null where there are none, and where only yes or no decides: what the
 * app itself asks has nobody who could read words.
 */
export function wordsTarget(shown: readonly OpenQuestion[]): WordsTarget | null {
  const [question] = shown;
  switch (question?.kind) {
    case undefined:
      return null;
    case 'approval':
      return { kind: 'denial', questions: shown };
    case 'confirm':
      return question.toolCallId === undefined
        ? null
        : { kind: 'answer', question, isChange: false };
    case 'checkpoint':
      return { kind: 'answer', question, isChange: true };
    case 'decision':
    case 'input':
      return { kind: 'answer', question, isChange: false };
  }
}

const ASSENTS =
  /^(?:yes|yep|yeah|y|ok(?:ay)?|sure|fine|agreed?|go(?: ahead| on)?|do (?:it|that|so)|run (?:it|that|this)|continue|proceed|approved?(?: (?:it|this|that|all))?|allow(?:ed)?(?: (?:it|this|that))?|ja|oui|s[ií]|好|好的|行|可以|是|是的|对|同意|批准|允许|继续|没问题)$/iu;
const POLITE = /^(?:please|thanks?|thank you|请|谢谢)$/iu;

/** Whether the words are nothing but agreement, such as "Yes, go ahead!". */
export function isAssent(text: string): boolean {
  const parts = text
    .split(/[.,;!。，；！、\s]*(?:[.,;!。，；！、]|\n)+\s*/u)
    .map((part) => part.trim().replace(/\s+(?:please|thanks)$/iu, ''))
    .filter((part) => part !== '' && !POLITE.test(part));
  return parts.length > 0 && parts.every((part) => ASSENTS.test(part));
}
