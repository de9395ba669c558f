import { memo, type ReactNode } from 'react';
import { LazyMarkdown } from '../../components/markdown/lazy-markdown.tsx';
import type { TextItem } from '../../store/run-view.ts';
import { chatStrings } from '../../strings/chat.ts';

/** One block of an answer. Finished blocks are never rendered again. */
export const TextRow = memo(function TextRow({ item }: { readonly item: TextItem }): ReactNode {
  // Before the block, which may end inside of any construct.
  const source = item.definitions === '' ? item.source : `${item.definitions}\n${item.source}`;
  return (
    <div className="answer-block" data-first={item.firstOfMessage}>
      {item.firstOfMessage && <h2 className="visually-hidden">{chatStrings.answer}</h2>}
      <div className="markdown">
        <LazyMarkdown source={source} growing={!item.finished} />
      </div>
    </div>
  );
});
