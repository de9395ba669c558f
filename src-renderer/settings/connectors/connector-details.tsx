import { type ReactNode, useEffect, useState } from 'react';
import type { Connector, ConnectorLogLine } from '#contract/connectors.ts';
import { Button } from '../../components/button.tsx';
import { Disclosure } from '../../components/disclosure.tsx';
import { VisibleText } from '../../components/visible-text.tsx';
import { formatCount } from '../../format.ts';
import { useSession } from '../../session-context.ts';
import { connectorStrings as words } from '../../strings/connectors.ts';
import { ConnectorFacts, type ShownConfig } from './connector-facts.tsx';
import { ConnectorSignIn } from './connector-sign-in.tsx';
import { ConnectorTools } from './connector-tools.tsx';
import { useConnectorTools } from './use-connectors.ts';

/** One connector: what it is, whether it runs, its tools and its log. */
export function ConnectorDetails({ connector }: { readonly connector: Connector }): ReactNode {
  const session = useSession();
  const { id, name, config, isEnabled, state, problem, server, tools: counts, offers } = connector;
  const { tools, isBusy, refresh } = useConnectorTools(id);
  const ask = async (
    request: 'connectors.enable' | 'connectors.restart',
    on = true,
  ): Promise<void> => {
    const result =
      request === 'connectors.enable'
        ? await session.bridge.request(request, { connectorId: id, isEnabled: on })
        : await session.bridge.request(request, { connectorId: id });
    if (!result.ok) session.showError(result.error.message);
  };
  const more: (readonly [string, string])[] = [];
  if (server !== null) {
    more.push([
      words.details.server,
      words.details.version(server.name, server.version, server.revision),
    ]);
  }
  if (counts.tokens > 0) {
    more.push([words.details.schemas, words.details.schemaCost(formatCount(counts.tokens))]);
  }
  if (offers.resources > 0) {
    more.push([words.details.resources, words.details.inMessages(offers.resources, '@')]);
  }
  if (offers.prompts > 0) {
    more.push([words.details.prompts, words.details.inMessages(offers.prompts, '/')]);
  }
  return (
    <>
      {problem !== null && (
        <div className="banner" data-tone="danger" role="status">
          <span>
            <VisibleText text={problem} />
          </span>
        </div>
      )}
      <div className="connector-actions">
        <label className="check-line">
          <input
            type="checkbox"
            aria-label={words.turnOn(name)}
            checked={isEnabled}
            onChange={(event) => void ask('connectors.enable', event.target.checked)}
          />
          {words.on}
        </label>
        <Button
          size="small"
          disabled={!isEnabled || isBusy || state === 'starting'}
          onClick={() => void (state === 'stopped' ? ask('connectors.restart') : refresh())}
        >
          {isBusy || state === 'starting'
            ? words.states.starting
            : state === 'running'
              ? words.readAgain
              : words.start}
        </Button>
        {isEnabled && (state === 'running' || state === 'failed') && (
          <Button size="small" disabled={isBusy} onClick={() => void ask('connectors.restart')}>
            {words.restart}
          </Button>
        )}
      </div>
      {config.kind === 'remote' && <ConnectorSignIn connector={connector} />}
      <ConnectorFacts config={shownConfig(connector)} more={more} />
      <ConnectorTools connectorId={id} tools={tools} />
      <Disclosure
        id={`connector log ${id}`}
        className="connector-tool"
        summary={
          <>
            <span>{words.log.title}</span>
            <span className="spacer" />
          </>
        }
      >
        {() => <ConnectorLog connectorId={id} />}
      </Disclosure>
    </>
  );
}

function shownConfig({ config }: Connector): ShownConfig {
  const variables = (config.kind === 'program' ? config.env : config.headers).map(
    ({ name, value }) => [name, value] as const,
  );
  return config.kind === 'program'
    ? { ...config, variables }
    : { kind: 'remote', url: config.url, variables, oauth: config.oauth };
}

function ConnectorLog({ connectorId }: { readonly connectorId: string }): ReactNode {
  const session = useSession();
  const [lines, setLines] = useState<readonly ConnectorLogLine[] | null>(null);
  const [reads, setReads] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each reading is asked for
  useEffect(() => {
    void session.bridge.request('connectors.log', { connectorId }).then((result) => {
      if (result.ok) setLines(result.data.lines);
      else session.showError(result.error.message);
    });
  }, [session, connectorId, reads]);
  return (
    <>
      {lines?.length === 0 && <p className="muted">{words.log.empty}</p>}
      {lines !== null && lines.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
        <pre className="connector-log" tabIndex={0}>
          <VisibleText
            text={lines
              .map(({ at, kind, text }) => `${new Date(at).toLocaleTimeString()} ${kind}: ${text}`)
              .join('\n')}
          />
        </pre>
      )}
      <Button size="small" onClick={() => setReads((count) => count + 1)}>
        {words.log.refresh}
      </Button>
    </>
  );
}
