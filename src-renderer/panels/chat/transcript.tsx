import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown } from 'lucide-react';
import { type ReactNode, useMemo, useRef, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { DisclosureProvider } from '../../components/disclosure.tsx';
import { useApp } from '../../session-context.ts';
import { chatRows } from '../../store/chat-rows.ts';
import { equalMembers } from '../../store/equality.ts';
import { turnsOf } from '../../store/selectors.ts';
import { chatStrings } from '../../strings/chat.ts';
import { ChatRowView } from './chat-row.tsx';
import { useFollowEnd } from './use-follow-end.ts';

/** Height of a row before it was measured. */
const ROW_GUESS = 72;

/** The conversation. Only the visible rows and a few beyond are rendered. */
export function Transcript({ threadId }: { readonly threadId: string }): ReactNode {
  const turns = useApp((state) => turnsOf(state, threadId), equalMembers);
  const rows = useMemo(() => chatRows(turns), [turns]);
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: rows.count,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_GUESS,
    getItemKey: rows.keyAt,
    overscan: 6,
    paddingStart: 24,
    paddingEnd: 24,
    useFlushSync: false,
  });
  const height = virtualizer.getTotalSize();
  const shown = virtualizer.getVirtualItems();
  const { isAway, jump, hold } = useFollowEnd(scroller, height);
  const [opened] = useState(() => new Map<string, boolean>());
  const disclosures = useMemo(() => ({ opened, onToggle: hold }), [opened, hold]);

  return (
    <DisclosureProvider value={disclosures}>
      <div className="transcript-frame">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
        <section className="transcript" aria-label={chatStrings.label} ref={scroller} tabIndex={0}>
          <div className="transcript-rows" style={{ height }}>
            {/* Rows follow each other, so one that grows is never painted over the next. */}
            <div style={{ transform: `translateY(${shown[0]?.start ?? 0}px)` }}>
              {shown.map(({ key, index }) => {
                const row = rows.at(index);
                return (
                  <div
                    key={key}
                    ref={virtualizer.measureElement}
                    data-index={index}
                    className="transcript-row"
                  >
                    <div className="transcript-column">
                      {row !== null && <ChatRowView row={row} />}
                    </div>
                  </div>
                );
              })}
            </div>
          </div>
        </section>
        {isAway && (
          <Button className="jump-to-latest" size="small" onClick={jump}>
            <ArrowDown aria-hidden="true" size={14} />
            {chatStrings.jumpToLatest}
          </Button>
        )}
      </div>
    </DisclosureProvider>
  );
}
