import { Brain } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import { Disclosure } from '../../components/disclosure.tsx';
import { useNow } from '../../components/use-now.ts';
import { formatElapsed } from '../../format.ts';
import type { ReasoningItem } from '../../store/run-view.ts';
import { chatStrings } from '../../strings/chat.ts';

/** The model's thinking: a line that opens to the text. */
export const ReasoningRow = memo(function ReasoningRow({
  item,
  id,
}: {
  readonly item: ReasoningItem;
  readonly id: string;
}): ReactNode {
  const thinks = item.endedAt === null;
  const now = useNow(thinks);
  const elapsed = (item.endedAt ?? now) - item.startedAt;
  const time = formatElapsed(elapsed);
  const past = elapsed < 1000 ? chatStrings.thought : chatStrings.thoughtFor(time);
  return (
    <Disclosure
      id={id}
      className="reasoning"
      summary={
        <>
          <Brain aria-hidden="true" size={14} />
          <span className={thinks ? 'shimmer' : undefined}>
            {thinks ? chatStrings.activity.elapsed(chatStrings.thinking, time) : past}
          </span>
        </>
      }
    >
      {() => <p className="reasoning-text">{item.text}</p>}
    </Disclosure>
  );
});
