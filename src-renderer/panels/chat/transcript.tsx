import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown } from 'lucide-react';
import { type ReactNode, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { DisclosureProvider } from '../../components/disclosure.tsx';
import { useApp } from '../../session-context.ts';
import { chatRows } from '../../store/chat-rows.ts';
import { equalMembers } from '../../store/equality.ts';
import { type Turn, turnsOf } from '../../store/selectors.ts';
import { strings } from '../../strings.ts';
import { ChatRowView } from './chat-row.tsx';

/** Distance from the end, in pixels, within which the list follows what is added. */
const END_ZONE = 60;
const ROW_GUESS = 72;

/**
 * The conversation. Only the rows in sight exist; the list stays at its end while that is in sight,
 * and stays put once the person scrolled away from it.
 */
export function Transcript({ threadId }: { readonly threadId: string }): ReactNode {
  const turns: readonly Turn[] = useApp((state) => turnsOf(state, threadId), equalMembers);
  const rows = useMemo(() => chatRows(turns), [turns]);
  const scroller = useRef<HTMLDivElement>(null);
  const [opened] = useState(() => new Map<string, boolean>());
  const [atEnd, setAtEnd] = useState(true);

  const virtualizer = useVirtualizer({
    count: rows.count,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_GUESS,
    getItemKey: rows.keyAt,
    overscan: 6,
    anchorTo: 'end',
    followOnAppend: true,
    scrollEndThreshold: END_ZONE,
    paddingStart: 24,
    paddingEnd: 24,
    useFlushSync: false,
    onChange: (instance) => setAtEnd(instance.isAtEnd(END_ZONE)),
  });

  // A task opens at its end: that is where its news is.
  const isEmpty = rows.count === 0;
  useLayoutEffect(() => {
    if (!isEmpty) virtualizer.scrollToEnd();
  }, [virtualizer, isEmpty]);

  return (
    <DisclosureProvider value={opened}>
      <div className="transcript-frame">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
        <section className="transcript" aria-label={strings.chat.label} ref={scroller} tabIndex={0}>
          <div className="transcript-rows" style={{ height: virtualizer.getTotalSize() }}>
            {virtualizer.getVirtualItems().map(({ key, index, start }) => {
              const row = rows.at(index);
              return (
                <div
                  key={key}
                  ref={virtualizer.measureElement}
                  data-index={index}
                  className="transcript-row"
                  style={{ transform: `translateY(${start}px)` }}
                >
                  <div className="transcript-column">
                    {row !== null && <ChatRowView row={row} />}
                  </div>
                </div>
              );
            })}
          </div>
        </section>
        {!atEnd && (
          <Button
            className="jump-to-latest"
            size="small"
            onClick={() => virtualizer.scrollToEnd({ behavior: 'auto' })}
          >
            <ArrowDown aria-hidden="true" size={14} />
            {strings.chat.jumpToLatest}
          </Button>
        )}
      </div>
    </DisclosureProvider>
  );
}
