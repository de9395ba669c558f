import type { ReactNode } from 'react';
import { Connections } from '../../components/network/connections.tsx';
import { useApp } from '../../session-context.ts';
import { networkStrings } from '../../strings/network.ts';

/** What a task sent, and tried to send. */
export function NetworkTab({ threadId }: { readonly threadId: string }): ReactNode {
  const runIds = useApp((state) => state.openThreads.get(threadId)?.runIds ?? NO_RUNS);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="network-tab" tabIndex={0} aria-label={networkStrings.list}>
      <Connections key={threadId} runIds={runIds} none={networkStrings.none} />
    </section>
  );
}

const NO_RUNS: readonly string[] = [];
