import { useEffect } from 'react';
import { useApp } from './session-context.ts';
import { openThreadId, threadById } from './store/selectors.ts';
import { appStrings } from './strings/app.ts';

/** The title of the window or tab: first the questions that wait, then the open task. */
export function WindowTitle(): null {
  const title = useApp((state) => {
    const thread = threadById(state, openThreadId(state));
    const own = thread === null ? appStrings.name : `${thread.title} · ${appStrings.name}`;
    const waiting = state.waiting.length;
    return waiting === 0 ? own : appStrings.waitingTitle(waiting, own);
  });
  useEffect(() => {
    document.title = title;
  }, [title]);
  return null;
}
