import { useState } from 'react';
import { useApp } from '../../session-context.ts';
import {
  idsOf,
  isAssent,
  shownTogether,
  type WordsTarget,
  wordsTarget,
} from '../../store/answer-in-words.ts';
import type { Draft } from '../../store/app-state.ts';
import { shallowEqual } from '../../store/equality.ts';
import { openQuestions } from '../../store/selectors.ts';

/** What the message in the box does while a question is open; null while none is. */
export interface Answering {
  /** What its words mean to the question; null where only the buttons answer it. */
  readonly target: WordsTarget | null;
  /** It is sent after the run, by the user's choice, or because it was begun before the question came. */
  readonly isNext: boolean;
  /** It agrees to a call, which words never do. */
  readonly isRefused: boolean;
  readonly choose: (isNext: boolean) => void;
}

export function useAnswering(threadId: string | null, { text }: Draft): Answering | null {
  const shown = useApp((state) => shownTogether(openQuestions(state, threadId)), shallowEqual);
  const busy = useApp((state) => shown.some((one) => state.answering.has(one.interruptId)));
  const key = shown.length === 0 ? null : idsOf(shown);
  const isEmpty = text.trim() === '';
  const [choice, setChoice] = useState({ key, isNext: false });
  const isNext = choice.key === key ? choice.isNext && !isEmpty : !isEmpty;
  if (choice.key !== key || choice.isNext !== isNext) setChoice({ key, isNext });
  if (key === null) return null;
  const target = wordsTarget(shown);
  return {
    target,
    isNext,
    isRefused: busy || (target?.kind === 'denial' && !isNext && isAssent(text)),
    choose: (next) => setChoice({ key, isNext: next }),
  };
}
