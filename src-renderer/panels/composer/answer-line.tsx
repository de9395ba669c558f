import { CornerLeftUp } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../../components/button.tsx';
import type { WordsTarget } from '../../store/answer-in-words.ts';
import type { Draft } from '../../store/app-state.ts';
import { composerStrings } from '../../strings/composer.ts';
import type { Answering } from './use-answering.ts';

const words = composerStrings.during;

/** Says what the message in the box does while a question is open, and offers the other thing. */
export function AnswerLine({
  answering: { target, isNext, isRefused, choose },
  draft,
}: {
  readonly answering: Answering;
  readonly draft: Draft;
}): ReactNode {
  const answers = target !== null && !isNext;
  return (
    <div className="answer-line">
      <CornerLeftUp aria-hidden="true" size={14} />
      <span className="answer-line-text" role="status">
        {target === null ? words.buttonsOnly : sentence(target, { isNext, isRefused })}
        {answers && draft.attachments.length > 0 && ` ${words.filesStay}`}
      </span>
      {target !== null && draft.text.trim() !== '' && (
        <Button size="small" variant="ghost" onClick={() => choose(!isNext)}>
          {isNext ? words.answerInstead : words.queueInstead}
        </Button>
      )}
    </div>
  );
}

function sentence(
  target: WordsTarget,
  { isNext, isRefused }: Pick<Answering, 'isNext' | 'isRefused'>,
): string {
  if (isNext) return words.next;
  if (target.kind === 'denial') {
    return isRefused ? words.noAssent : words.denial(target.questions.length);
  }
  return target.isChange ? words.change : words.answer;
}

/** Which of the words of the box fit what its message does. */
export function kindOfWords(target: WordsTarget): 'answer' | 'change' | 'denial' {
  if (target.kind === 'denial') return 'denial';
  return target.isChange ? 'change' : 'answer';
}
