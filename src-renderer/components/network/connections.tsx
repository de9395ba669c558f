import { Globe } from 'lucide-react';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import type { EgressConnection } from '#contract/egress.ts';
import { useApp, useSession } from '../../session-context.ts';
import { foldConnections } from '../../store/network-actions.ts';
import { networkStrings as words } from '../../strings/network.ts';
import { Button } from '../button.tsx';
import { EmptyState } from '../empty-state.tsx';
import { useNow } from '../use-now.ts';
import { ConnectionList } from './connection-list.tsx';

/** Lines shown at first, and added by each "Show earlier". */
const SHOWN = 100;

/** The connections of some runs, or of everything, newest first, with a button for earlier ones. */
export function Connections({
  runIds,
  none,
}: {
  /** Null for everything, including the app itself. */
  readonly runIds: readonly string[] | null;
  readonly none: string;
}): ReactNode {
  const { network } = useSession();
  const all = useApp((state) => state.connections);
  const now = useNow(true, 60_000);
  const [shown, setShown] = useState(SHOWN);
  // Runs with earlier connections than the loaded ones; '' stands for everything.
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const scopes = useMemo(() => runIds ?? [EVERYTHING], [runIds]);
  useEffect(() => {
    let cancelled = false;
    for (const scope of scopes.toReversed()) {
      void network.load(inScope(scope)).then((hasMore) => {
        if (!cancelled && hasMore) setOpen((before) => new Set(before).add(scope));
      });
    }
    return () => {
      cancelled = true;
    };
  }, [network, scopes]);
  const connections = useMemo(() => all.filter(isOf(scopes)), [all, scopes]);
  const lines = useMemo(() => foldConnections(connections), [connections]);
  if (lines.length === 0) return <EmptyState icon={Globe} text={none} />;

  const showMore = async (): Promise<void> => {
    setShown(shown + SHOWN);
    if (lines.length >= shown + SHOWN) return;
    for (const scope of open) {
      const oldest = connections.filter(isOf([scope])).at(-1);
      if (oldest === undefined) continue;
      if (await network.load({ ...inScope(scope), beforeId: oldest.id })) continue;
      setOpen((before) => new Set([...before].filter((one) => one !== scope)));
    }
  };
  const denied = connections.filter(({ verdict }) => verdict === 'denied').length;
  const hasMore = lines.length > shown || open.size > 0;
  return (
    <>
      <p className="connection-count muted">
        {words.count(connections.length, denied, open.size > 0)}
      </p>
      <ConnectionList lines={lines.slice(0, shown)} now={now} />
      {hasMore && (
        <Button size="small" variant="ghost" onClick={() => void showMore()}>
          {words.earlier}
        </Button>
      )}
    </>
  );
}

const EVERYTHING = '';

function inScope(scope: string): { readonly runId?: string } {
  return scope === EVERYTHING ? {} : { runId: scope };
}

function isOf(scopes: readonly string[]): (connection: EgressConnection) => boolean {
  const own = new Set(scopes);
  return ({ runId }) => own.has(EVERYTHING) || (runId !== null && own.has(runId));
}
