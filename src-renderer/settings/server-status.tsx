import type { ReactNode } from 'react';
import { useApp } from '../session-context.ts';
import { loadedValue } from '../store/selectors.ts';
import { modelStrings } from '../strings/models.ts';

/** What answers at the address of a server: its models, or why there are none. */
export function ServerStatus({ provider }: { readonly provider: string }): ReactNode {
  const servers = useApp((state) => state.servers);
  const server = loadedValue(servers)?.find((one) => one.provider === provider);
  const isLooking = servers.phase === 'loading';
  const tone = isLooking || server === undefined ? 'neutral' : server.reachable ? 'ok' : 'danger';
  return (
    <p
      className="server-status"
      role="status"
      data-tone={tone}
      data-testid={`server-${provider}`}
      title={server?.problem ?? undefined}
    >
      {isLooking ? modelStrings.checking : server === undefined ? '' : found(server)}
    </p>
  );
}

function found({
  reachable,
  problem,
  models,
}: {
  readonly reachable: boolean;
  readonly problem: string | null;
  readonly models: readonly unknown[];
}): string {
  if (!reachable) return problem ?? modelStrings.unreachable;
  return models.length === 0
    ? (problem ?? modelStrings.noModels)
    : modelStrings.found(models.length);
}
