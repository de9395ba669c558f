import { type ReactNode, useEffect, useState } from 'react';
import type { Settings } from '#contract/entities.ts';
import { networkStrings } from '../network-strings.ts';
import { ConnectionList } from '../panels/network/connection-list.tsx';
import { useApp, useSession } from '../session-context.ts';
import { ChoiceSetting, Field, useSaving, useSettings } from './field.tsx';

const words = networkStrings.settings;
/** Lines of the last connections that the settings show. */
const SHOWN = 50;

export function NetworkSection(): ReactNode {
  const { egress, network, egressHosts, egressPrivateHosts, executionMode } = useSettings();
  return (
    <>
      <ChoiceSetting
        label={words.egress}
        value={egress}
        choices={words.egressChoices}
        toChanges={(value) => ({ egress: value })}
      />
      <ChoiceSetting
        label={words.network}
        value={network}
        choices={words.networkChoices}
        toChanges={(value) => ({ network: value })}
      />
      <HostList
        label={words.hosts}
        hint={words.hostsHint}
        hosts={egressHosts}
        toChanges={(hosts) => ({ egressHosts: hosts })}
      />
      <HostList
        label={words.privateHosts}
        hint={words.privateHostsHint}
        hosts={egressPrivateHosts}
        toChanges={(hosts) => ({ egressPrivateHosts: hosts })}
      />
      <ChoiceSetting
        label={words.execution}
        value={executionMode}
        choices={words.executionChoices}
        toChanges={(value) => ({ executionMode: value })}
      />
      <LastConnections />
    </>
  );
}

/** Hosts as lines of text, saved when the field is left. */
function HostList({
  label,
  hint,
  hosts,
  toChanges,
}: {
  readonly label: string;
  readonly hint: string;
  readonly hosts: readonly string[];
  readonly toChanges: (hosts: string[]) => Partial<Settings>;
}): ReactNode {
  const { problem, saved, save } = useSaving();
  const stored = hosts.join('\n');
  const [text, setText] = useState(stored);
  useEffect(() => setText(stored), [stored]);
  const commit = (): void => {
    const lines = text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
    if (lines.join('\n') !== stored || problem !== null) void save(toChanges(lines));
  };
  return (
    <Field label={label} hint={hint} problem={problem} saved={saved}>
      {({ id, describedBy }) => (
        <textarea
          id={id}
          className="text-input host-list"
          aria-describedby={describedBy}
          aria-invalid={problem !== null}
          rows={Math.min(8, Math.max(3, hosts.length + 1))}
          value={text}
          spellCheck={false}
          onChange={(event) => setText(event.target.value)}
          onBlur={commit}
        />
      )}
    </Field>
  );
}

function LastConnections(): ReactNode {
  const { network } = useSession();
  const connections = useApp((state) => state.connections);
  useEffect(() => void network.load(), [network]);
  return (
    <section className="settings-part">
      <h4 className="field-label">{words.recent}</h4>
      {connections.length === 0 ? (
        <p className="muted">{networkStrings.noneAtAll}</p>
      ) : (
        <ConnectionList connections={connections.slice(0, SHOWN)} now={Date.now()} />
      )}
    </section>
  );
}
