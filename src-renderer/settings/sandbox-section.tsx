import { Hammer, RefreshCw } from 'lucide-react';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import type { SandboxReport } from '#contract/entities.ts';
import { Button } from '../components/button.tsx';
import { SandboxLine } from '../components/setup-check/sandbox-line.tsx';
import { Skeleton } from '../components/skeleton.tsx';
import { Spinner } from '../components/spinner.tsx';
import { useApp, useSession } from '../session-context.ts';
import { settingsStrings } from '../strings/settings.ts';
import { ChoiceSetting, SettingsGroup, TextSetting, toNumber, useSettings } from './field.tsx';
import { KeyOf } from './key-list.tsx';

const words = settingsStrings.sandbox;

export function SandboxSection(): ReactNode {
  const settings = useSettings();
  return (
    <>
      <ChoiceSetting
        label={words.choice}
        value={settings.sandbox}
        choices={words.choices}
        toChanges={(sandbox) => ({ sandbox })}
      />
      {settings.sandbox === 'landlock' && <p className="muted">{words.landlockHint}</p>}
      {settings.sandbox === 'e2b' && (
        <>
          <p className="muted">{words.e2bHint}</p>
          <KeyOf name="e2b" />
        </>
      )}
      <div className="field-row">
        <TextSetting
          label={words.memory}
          value={String(settings.sandboxMemoryMb)}
          inputMode="numeric"
          toChanges={(text) => ({ sandboxMemoryMb: toNumber(text) })}
        />
        <TextSetting
          label={words.cpus}
          value={String(settings.sandboxCpus)}
          inputMode="decimal"
          toChanges={(text) => ({ sandboxCpus: toNumber(text) })}
        />
        <TextSetting
          label={words.pids}
          value={String(settings.sandboxPids)}
          inputMode="numeric"
          toChanges={(text) => ({ sandboxPids: toNumber(text) })}
        />
        <TextSetting
          label={words.disk}
          value={String(settings.sandboxDiskMb)}
          inputMode="numeric"
          toChanges={(text) => ({ sandboxDiskMb: toNumber(text) })}
        />
        <TextSetting
          label={words.timeout}
          value={String(settings.commandTimeoutSeconds)}
          inputMode="numeric"
          toChanges={(text) => ({ commandTimeoutSeconds: toNumber(text) })}
        />
        <TextSetting
          label={words.snapshotLimit}
          hint={words.snapshotLimitHint}
          value={String(settings.snapshotLimitMb)}
          inputMode="numeric"
          toChanges={(text) => ({ snapshotLimitMb: toNumber(text) })}
        />
        <TextSetting
          label={words.snapshotHours}
          hint={words.snapshotHoursHint}
          value={String(settings.snapshotHours)}
          inputMode="decimal"
          toChanges={(text) => ({ snapshotHours: toNumber(text) })}
        />
      </div>
      <SandboxState />
    </>
  );
}

function SandboxState(): ReactNode {
  const session = useSession();
  const [reports, setReports] = useState<readonly SandboxReport[] | null>(null);
  const [checking, setChecking] = useState(false);
  const check = useCallback(async () => {
    setChecking(true);
    const result = await session.bridge.request('sandbox.status', {});
    if (result.ok) setReports(result.data.sandboxes);
    else session.showError(result.error.message);
    setChecking(false);
  }, [session]);
  useEffect(() => void check(), [check]);
  return (
    <SettingsGroup title={words.status}>
      {reports === null && checking && <Skeleton label={words.checking} lines={3} />}
      {reports?.map((report) => (
        <SandboxLine key={report.kind} sandbox={report} />
      ))}
      <Button size="small" variant="ghost" disabled={checking} onClick={() => void check()}>
        {checking ? <Spinner /> : <RefreshCw aria-hidden="true" size={14} />}
        {checking ? words.checking : words.check}
      </Button>
      <ImageBuilder onBuilt={check} />
    </SettingsGroup>
  );
}

function ImageBuilder({ onBuilt }: { readonly onBuilt: () => Promise<void> }): ReactNode {
  const { settings } = useSession();
  const building = useApp((state) => state.building);
  const lines = useApp((state) => state.buildLines);
  const build = async (): Promise<void> => {
    if (await settings.buildSandbox()) await onBuilt();
  };
  return (
    <SettingsGroup title={words.image}>
      <p className="muted">{words.imageHint}</p>
      <Button disabled={building} onClick={() => void build()}>
        {building ? <Spinner /> : <Hammer aria-hidden="true" size={14} />}
        {building ? words.building : words.build}
      </Button>
      {lines.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <pre className="build-lines" role="log" aria-label={words.progress} tabIndex={0}>
          {lines.join('\n')}
        </pre>
      )}
    </SettingsGroup>
  );
}
