import { type SyntheticEvent, useState } from 'react';
import { signBefore, type TypedSign } from './typed-sign.ts';

/** The text and the caret when the user typed last, and the place of a sign that was dismissed. */
interface Typed {
  readonly text: string;
  readonly caret: number;
  readonly dismissed: number | null;
}

type TextEvent = SyntheticEvent<HTMLTextAreaElement>;

/** Follows what is typed into a text field, for lists that signs open. */
export interface TypedSigns {
  /** The sign that asks for a list now. */
  readonly typed: TypedSign | null;
  /** The text was changed by the user. */
  readonly change: (event: TextEvent) => void;
  /** The caret moved. */
  readonly move: (event: TextEvent) => void;
  /** The list was closed; it stays so for this sign. */
  readonly dismiss: () => void;
  /** Nothing is being typed any more. */
  readonly leave: () => void;
}

/** A list is only opened by typing: not by a caret that comes by, nor by a text that is pasted or put there. */
export function useTypedSign(text: string): TypedSigns {
  const [last, setLast] = useState<Typed | null>(null);
  const sign = last === null || last.text !== text ? null : signBefore(text, last.caret);
  const typed = sign !== null && sign.from === last?.dismissed ? null : sign;

  const change = ({ currentTarget, nativeEvent }: TextEvent): void => {
    const { value, selectionEnd: caret } = currentTarget;
    const isTyped = /^(?:insert(?:Text|CompositionText)|delete)/.test(inputType(nativeEvent));
    const from = signBefore(value, caret)?.from ?? null;
    const dismissed = from === last?.dismissed ? from : null;
    setLast(isTyped ? { text: value, caret, dismissed } : null);
  };
  const move = ({ currentTarget: { selectionStart, selectionEnd } }: TextEvent): void => {
    if (last === null || (selectionStart === last.caret && selectionEnd === last.caret)) return;
    const there = selectionStart === selectionEnd ? signBefore(text, selectionEnd) : null;
    const isSame = sign !== null && there?.from === sign.from;
    setLast(isSame ? { ...last, caret: selectionEnd } : null);
  };
  return {
    typed,
    change,
    move,
    dismiss: () => setLast((now) => now && { ...now, dismissed: sign?.from ?? null }),
    leave: () => setLast(null),
  };
}

function inputType(event: Event): string {
  return 'inputType' in event ? String(event.inputType) : '';
}
