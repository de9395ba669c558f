import { useCallback, useEffect, useState } from 'react';
import type { RequestOutput } from '#contract/requests.ts';
import { useApp, useSession } from '../../session-context.ts';

/** The connectors as main has them, read again whenever main says that something about them changed. */
export function useConnectors(): RequestOutput<'connectors.list'> | null {
  const session = useSession();
  const revision = useApp((state) => state.connectorsRevision);
  const [list, setList] = useState<RequestOutput<'connectors.list'> | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new revision is the reason to read
  useEffect(() => {
    let isCurrent = true;
    void session.bridge.request('connectors.list', {}).then((result) => {
      if (!isCurrent) return;
      if (result.ok) setList(result.data);
      else session.showError(result.error.message);
    });
    return () => {
      isCurrent = false;
    };
  }, [session, revision]);
  return list;
}

/** The tools of one, as far as they are known; the same. */
export function useConnectorTools(connectorId: string): {
  readonly tools: RequestOutput<'connectors.tools'>['tools'] | null;
  readonly isBusy: boolean;
  /** Starts the server and asks it. */
  readonly refresh: () => Promise<void>;
} {
  const session = useSession();
  const revision = useApp((state) => state.connectorsRevision);
  const [tools, setTools] = useState<RequestOutput<'connectors.tools'>['tools'] | null>(null);
  const [isBusy, setBusy] = useState(false);
  const read = useCallback(
    async (refresh: boolean): Promise<void> => {
      const result = await session.bridge.request('connectors.tools', { connectorId, refresh });
      if (result.ok) setTools(result.data.tools);
      else session.showError(result.error.message);
    },
    [session, connectorId],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new revision is the reason to read
  useEffect(() => void read(false), [read, revision]);
  const refresh = async (): Promise<void> => {
    setBusy(true);
    await read(true);
    setBusy(false);
  };
  return { tools, isBusy, refresh };
}
