import { elementScroll, useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown } from 'lucide-react';
import {
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { Button } from '../../components/button.tsx';
import { DisclosureProvider } from '../../components/disclosure.tsx';
import { useApp } from '../../session-context.ts';
import { chatRows } from '../../store/chat-rows.ts';
import { equalMembers } from '../../store/equality.ts';
import { conversationMarkdown } from '../../store/row-text.ts';
import { turnsOf } from '../../store/selectors.ts';
import { chatStrings } from '../../strings/chat.ts';
import { ChatRowView } from './chat-row.tsx';
import { FindBar } from './find-bar.tsx';
import { useCopyAll } from './use-copy-all.ts';
import { type Find, useFind } from './use-find.ts';
import { useFolds } from './use-folds.ts';
import { useFollowEnd } from './use-follow-end.ts';

/** Height of a row before it was measured. */
const ROW_GUESS = 72;

/** Ctrl or Cmd with F opens the field, and closing it gives the focus back. */
function useFindKeys({ text, open }: Find, scroller: RefObject<HTMLElement | null>): void {
  const before = useRef<Element | null>(null);
  const isOpen = text !== null;
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const isFind = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'f';
      // An editor or a dialog has a search of its own.
      const isOther = event.defaultPrevented || document.querySelector('[role="dialog"]') !== null;
      if (!isFind || event.shiftKey || event.altKey || isOther) return;
      event.preventDefault();
      if (isOpen) document.querySelector<HTMLInputElement>('.find-bar input')?.select();
      else before.current = document.activeElement;
      open();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [isOpen, open]);
  useEffect(() => {
    if (isOpen) return;
    const last = before.current;
    before.current = null;
    if (last instanceof HTMLElement && last.isConnected) last.focus();
    else if (last !== null) scroller.current?.focus();
  }, [isOpen, scroller]);
}

/** The conversation. Only the visible rows and a few beyond are rendered. */
export function Transcript({ threadId }: { readonly threadId: string }): ReactNode {
  const turns = useApp((state) => turnsOf(state, threadId), equalMembers);
  const scroller = useRef<HTMLDivElement>(null);
  const [opened] = useState(() => new Map<string, boolean>());
  const away = useRef(false);
  const isPlaced = useApp((state) => state.place?.threadId === threadId);
  const [isFinding, setIsFinding] = useState(false);
  // What the user reads, or has the focus in, does not fold under their eyes.
  const folds = useFolds(turns, {
    isRead: (runId) => away.current || holdsFocus(scroller.current) || hasOpenRow(opened, runId),
    seeks: isPlaced || isFinding,
  });
  const rows = useMemo(() => chatRows(turns, folds), [turns, folds]);
  const { isAway, settle, scrollItself, jump, hold } = useFollowEnd(scroller);
  const virtualizer = useVirtualizer<HTMLDivElement, Element>({
    count: rows.count,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_GUESS,
    getItemKey: rows.keyAt,
    overscan: 6,
    paddingStart: 24,
    paddingEnd: 24,
    useFlushSync: false,
    // It makes up for rows that are measured above the visible ones.
    scrollToFn: (...given) => scrollItself(() => elementScroll(...given)),
  });
  const height = virtualizer.getTotalSize();
  const shown = virtualizer.getVirtualItems();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the content grew, so its end moved
  useLayoutEffect(settle, [settle, height]);
  away.current = isAway;
  const disclosures = useMemo(() => ({ opened, onToggle: hold }), [opened, hold]);
  const isComplete = turns.every(({ view }) => view !== null);
  const find = useFind({ threadId, rows, isComplete, virtualizer, scroller, opened, hold });
  useFindKeys(find, scroller);
  useLayoutEffect(() => setIsFinding(find.text !== null), [find.text]);
  const text = useCallback(
    () =>
      conversationMarkdown(chatRows(turns), { you: chatStrings.you, answer: chatStrings.answer }),
    [turns],
  );
  const isAll = useCopyAll(scroller, text);

  const toggleSteps = useCallback(
    (runId: string) => {
      hold();
      folds.toggle(runId);
    },
    [folds, hold],
  );

  return (
    <DisclosureProvider value={disclosures}>
      <div className="transcript-frame" data-selected={isAll}>
        {find.text !== null && <FindBar find={{ ...find, text: find.text }} />}
        <span className="visually-hidden" role="status">
          {isAll ? chatStrings.allSelected : ''}
        </span>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
        <section className="transcript" aria-label={chatStrings.label} ref={scroller} tabIndex={0}>
          <div className="transcript-rows" style={{ height }}>
            {/* Rows follow each other, so one that grows is never painted over the next. */}
            <div style={{ transform: `translateY(${shown[0]?.start ?? 0}px)` }}>
              {shown.map(({ key, index }) => {
                const row = rows.at(index);
                return (
                  <div
                    key={`${key} ${find.roundOf(String(key))}`}
                    ref={virtualizer.measureElement}
                    data-index={index}
                    className="transcript-row"
                    data-found={index === find.placeRow}
                  >
                    <div className="transcript-column">
                      {row !== null && <ChatRowView row={row} onSteps={toggleSteps} />}
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

function holdsFocus(list: HTMLElement | null): boolean {
  return list !== null && list !== document.activeElement && list.contains(document.activeElement);
}

function hasOpenRow(opened: ReadonlyMap<string, boolean>, runId: string): boolean {
  return [...opened].some(([id, open]) => open && id.startsWith(`${runId} `));
}
