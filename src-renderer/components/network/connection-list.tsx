import { ArrowUpRight, Ban, CircleSlash } from 'lucide-react';
import type { ReactNode } from 'react';
import type { EgressConnection } from '#contract/egress.ts';
import { formatBytes, formatMoment } from '../../format.ts';
import { useApp, useSession } from '../../session-context.ts';
import { networkStrings as words } from '../../strings/network.ts';
import { Button } from '../button.tsx';
import { VisibleText } from '../visible-text.tsx';

const ICONS = { allowed: ArrowUpRight, denied: Ban, failed: CircleSlash } as const;

/** Lines of the connection log, newest first, each with its count. */
export function ConnectionList({
  lines,
  now,
}: {
  readonly lines: readonly { readonly connection: EgressConnection; readonly count: number }[];
  readonly now: number;
}): ReactNode {
  return (
    <ul className="connections" aria-label={words.list}>
      {lines.map(({ connection, count }) => (
        <ConnectionLine key={connection.id} connection={connection} count={count} now={now} />
      ))}
    </ul>
  );
}

function ConnectionLine({
  connection,
  count,
  now,
}: {
  readonly connection: EgressConnection;
  readonly count: number;
  readonly now: number;
}): ReactNode {
  const { network } = useSession();
  const { verdict, reason, host, port, address, actor, at, endedAt } = connection;
  const Icon = ICONS[verdict];
  const target = hostText(host, port);
  const isAllowed = useApp((state) => state.settings?.egressHosts.includes(target) ?? false);
  return (
    <li className="connection" data-verdict={verdict}>
      <Icon aria-hidden="true" size={14} />
      <div className="connection-main">
        <span className="connection-host">
          <VisibleText text={target} />
          {address !== null && address !== host && <span className="muted"> {address}</span>}
        </span>
        <span className="connection-note">
          {words.verdicts[verdict]}
          {reason === null ? '' : `: ${words.reasons[reason]}`}
          {' · '}
          {words.actors[actor]}
          {count > 1 ? ` · ${words.times(count)}` : ''}
          {verdict === 'allowed' &&
            ` · ${endedAt === null ? words.open : words.bytes(formatBytes(connection.sentBytes), formatBytes(connection.receivedBytes))}`}
        </span>
      </div>
      {reason === 'not_listed' && (
        // The button stays in place once it is pressed, so that the focus is kept.
        <Button
          size="small"
          aria-disabled={isAllowed}
          aria-label={isAllowed ? words.hostIsAllowed(target) : words.allowHost(target)}
          onClick={() => {
            if (!isAllowed) void network.allow(target);
          }}
        >
          {isAllowed ? words.isAllowed : words.allow}
        </Button>
      )}
      <time className="connection-time" dateTime={new Date(at).toISOString()}>
        {formatMoment(at, now)}
      </time>
    </li>
  );
}

/** As in lists of hosts: without the standard web ports. */
function hostText(host: string, port: number): string {
  const shown = host.includes(':') ? `[${host}]` : host;
  return port === 443 || port === 80 ? shown : `${shown}:${port}`;
}
