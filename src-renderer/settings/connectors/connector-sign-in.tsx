import { type ReactNode, useState } from 'react';
import type { Connector } from '#contract/connectors.ts';
import { Button } from '../../components/button.tsx';
import { SourceLink } from '../../components/markdown/chat-link.tsx';
import { useSession } from '../../session-context.ts';
import { connectorStrings } from '../../strings/connectors.ts';

const words = connectorStrings.signIn;

/** Signs the user in at a remote server: they open the page themselves, and see where it leads. */
export function ConnectorSignIn({ connector }: { readonly connector: Connector }): ReactNode {
  const session = useSession();
  const { id: connectorId, name, signIn } = connector;
  const [page, setPage] = useState<URL | null>(null);
  const begin = async (): Promise<void> => {
    const begun = await session.bridge.request('connectors.signIn', { connectorId });
    if (!begun.ok) {
      session.showError(begun.error.message);
      return;
    }
    const url = begun.data.url === null ? null : URL.parse(begun.data.url);
    setPage(url);
    if (url === null) return;
    const done = await session.bridge.request('connectors.awaitSignIn', { connectorId });
    setPage(null);
    if (!done.ok) session.showError(done.error.message);
  };
  const end = async (): Promise<void> => {
    const result = await session.bridge.request('connectors.signOut', { connectorId });
    if (!result.ok) session.showError(result.error.message);
  };
  return (
    <div className="connector-actions">
      {page !== null ? (
        <SourceLink address={page.href}>{words.open(page.host)}</SourceLink>
      ) : (
        <Button size="small" onClick={() => void begin()}>
          {signIn === 'done' ? words.again : words.begin}
        </Button>
      )}
      {page !== null && <span className="muted">{words.waiting}</span>}
      {signIn === 'done' && (
        <Button size="small" aria-label={words.outOf(name)} onClick={() => void end()}>
          {words.out}
        </Button>
      )}
    </div>
  );
}
