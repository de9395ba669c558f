import type { ReactNode } from 'react';
import type { Settings } from '#contract/settings.ts';
import { namesOf } from '../components/locked.tsx';
import { Connections } from '../components/network/connections.tsx';
import { egressChanges } from '../store/network-actions.ts';
import { networkStrings } from '../strings/network.ts';
import { ChoiceSetting, Field, SettingsGroup, useSettings, useTypedSetting } from './field.tsx';

const words = networkStrings.settings;

export function NetworkSection(): ReactNode {
  const settings = useSettings();
  const { egress, network, egressHosts, egressPrivateHosts } = settings;
  return (
    <>
      <ChoiceSetting
        label={words.egress}
        value={egress}
        choices={words.egressChoices}
        toChanges={(value) => egressChanges(settings, value)}
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
      <SettingsGroup title={words.recent}>
        <Connections runIds={null} none={networkStrings.noneAtAll} />
      </SettingsGroup>
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
  const { text, problem, saved, setText, commit } = useTypedSetting({
    label,
    value: hosts.join('\n'),
    toChanges: (typed) =>
      toChanges(
        typed
          .split('\n')
          .map((line) => line.trim())
          .filter((line) => line !== ''),
      ),
  });
  return (
    <Field
      label={label}
      hint={hint}
      problem={problem}
      saved={saved}
      settings={namesOf(toChanges([]))}
    >
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
