import { Globe } from 'lucide-react';
import { type ReactNode, useEffect, useMemo } from 'react';
import { EmptyState } from '../../components/empty-state.tsx';
import { networkStrings } from '../../network-strings.ts';
import { useApp, useSession } from '../../session-context.ts';
import { ConnectionList } from './connection-list.tsx';

/** What a task sent, and what it wanted to. */
export function NetworkTab({ threadId }: { readonly threadId: string }): ReactNode {
  const { network } = useSession();
  const runIds = useApp((state) => state.openThreads.get(threadId)?.runIds);
  const all = useApp((state) => state.connections);
  const newest = runIds?.at(-1);
  useEffect(() => {
    if (newest !== undefined) void network.load(newest);
  }, [network, newest]);
  const connections = useMemo(() => {
    const own = new Set(runIds);
    return all.filter(({ runId }) => runId !== null && own.has(runId));
  }, [all, runIds]);
  if (connections.length === 0) return <EmptyState icon={Globe} text={networkStrings.none} />;
  return (
    <div className="network-tab">
      <ConnectionList connections={connections} now={Date.now()} />
    </div>
  );
}
