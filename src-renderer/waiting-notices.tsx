import { useEffect, useRef } from 'react';
import { notify } from './bridge/notifications.ts';
import { useApp, useSession } from './session-context.ts';
import { sidebarStrings } from './strings/sidebar.ts';

/**
 * Shows system notifications for new questions while this window is not in front. The desktop shell
 * shows its own, because it also runs while every window is closed.
 */
export function WaitingNotices(): null {
  const { threads } = useSession();
  const waiting = useApp((state) => state.waiting);
  const isWanted = useApp(
    (state) => state.settings?.notifications === true && state.info?.entryPoint === 'browser',
  );
  const known = useRef<ReadonlySet<string> | null>(null);
  useEffect(() => {
    const before = known.current;
    known.current = new Set(waiting.map(({ interruptId }) => interruptId));
    // What waited before this window was opened is in its inbox.
    if (before === null || !isWanted || document.hasFocus()) return;
    for (const { interruptId, title, threadTitle, threadId } of waiting) {
      if (before.has(interruptId)) continue;
      notify(
        sidebarStrings.waiting,
        `${title} · ${threadTitle}`,
        () => void threads.open(threadId),
      );
    }
  }, [waiting, isWanted, threads]);
  return null;
}
