import {
  ChevronRight,
  CircleAlert,
  CircleCheck,
  CircleMinus,
  Cloud,
  Square,
  Stethoscope,
} from 'lucide-react';
import { Collapsible } from 'radix-ui';
import { type ReactNode, useState } from 'react';
import type { ModelSummary } from '#contract/entities.ts';
import type { ModelCheckItem, ModelProfile } from '#contract/models.ts';
import { Button } from '../components/button.tsx';
import { ModelFacts } from '../components/model-facts.tsx';
import { Spinner } from '../components/spinner.tsx';
import { formatCount } from '../format.ts';
import { useApp, useSession } from '../session-context.ts';
import { modelKey } from '../store/app-state.ts';
import { chooseThinking, thinkingOf } from '../store/thinking.ts';
import { modelStrings } from '../strings/models.ts';
import { settingsStrings } from '../strings/settings.ts';
import { ChoiceSetting, SettingsGroup, useSettings } from './field.tsx';
import { installedModels } from './model-select.tsx';

const words = settingsStrings.installed;

/** The models that were found, with the facts of each and a check to run. */
export function InstalledModels(): ReactNode {
  const models = useApp(installedModels, sameList);
  return (
    <SettingsGroup title={words.title}>
      {models.length === 0 && <p className="muted">{words.none}</p>}
      <ul className="settings-list">
        {models.map((model) => (
          <li key={modelKey(model)} className="installed-model">
            <InstalledModel model={model} />
          </li>
        ))}
      </ul>
    </SettingsGroup>
  );
}

function sameList(a: readonly ModelSummary[], b: readonly ModelSummary[]): boolean {
  return a.length === b.length && a.every((model, i) => model === b[i]);
}

function InstalledModel({ model }: { readonly model: ModelSummary }): ReactNode {
  const { models } = useSession();
  const [open, setOpen] = useState(false);
  const ref = { provider: model.provider, name: model.name };
  return (
    <Collapsible.Root
      open={open}
      onOpenChange={(next) => {
        setOpen(next);
        if (next && !model.cloud) void models.loadProfile(ref);
      }}
    >
      <Collapsible.Trigger className="installed-trigger">
        <ChevronRight aria-hidden="true" size={14} />
        <strong>{model.name}</strong>
        <span className="muted">{model.provider}</span>
        <span className="spacer" />
        <ModelFacts model={model} />
      </Collapsible.Trigger>
      <Collapsible.Content className="installed-details">
        {model.cloud && <CloudConsent model={model} />}
        <Profile model={model} />
        {model.thinking !== false && <ThinkingSwitch model={model} />}
        <ModelCheck model={model} />
      </Collapsible.Content>
    </Collapsible.Root>
  );
}

function ThinkingSwitch({ model }: { readonly model: ModelSummary }): ReactNode {
  const settings = useSettings();
  return (
    <ChoiceSetting
      label={modelStrings.thinking(model.name)}
      value={thinkingOf(settings, model)}
      choices={modelStrings.thinkingChoices}
      toChanges={(choice) => chooseThinking(settings, model, choice)}
    />
  );
}

function CloudConsent({ model }: { readonly model: ModelSummary }): ReactNode {
  const { cloudConsents } = useSettings();
  const { models } = useSession();
  if (cloudConsents.includes(modelKey(model))) return <p className="muted">{words.cloudAllowed}</p>;
  return (
    <div className="banner" data-tone="warning">
      <Cloud aria-hidden="true" size={16} />
      <span>{words.cloud}</span>
      <Button size="small" onClick={() => void models.allowCloud(model)}>
        {words.allowCloud}
      </Button>
    </div>
  );
}

function Profile({ model }: { readonly model: ModelSummary }): ReactNode {
  const profile = useApp((state) => state.profiles.get(modelKey(model)) ?? null);
  if (profile === null) return null;
  return (
    <dl className="facts">
      {factsOf(profile).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function factsOf(profile: ModelProfile): readonly (readonly [string, string])[] {
  const { facts } = words;
  const yes = (value: boolean | null): string =>
    value === null ? facts.unknown : value ? facts.yes : facts.no;
  const tokens = (value: number | null): string =>
    value === null ? facts.unknown : facts.tokens(formatCount(value));
  return [
    [facts.trained, tokens(profile.trainedContext)],
    [facts.loaded, tokens(profile.loadedContext)],
    [facts.tools, profile.toolMeans === null ? yes(profile.tools) : facts.means[profile.toolMeans]],
    [facts.thinking, yes(profile.thinking)],
    [facts.vision, yes(profile.vision)],
    [facts.jsonSchema, yes(profile.jsonSchema)],
    [
      facts.speed,
      profile.tokensPerSecond === null ? facts.unknown : facts.rate(profile.tokensPerSecond),
    ],
    [
      facts.coldLoad,
      profile.coldLoadMs === null ? facts.unknown : facts.seconds(profile.coldLoadMs / 1000),
    ],
  ];
}

function ModelCheck({ model }: { readonly model: ModelSummary }): ReactNode {
  const { models } = useSession();
  const key = modelKey(model);
  const check = useApp((state) => (state.modelCheck?.key === key ? state.modelCheck : null));
  const isBusy = useApp((state) => state.modelCheck?.running === true);
  const card = useApp((state) => state.profiles.get(key)?.reportCard ?? null);
  const items = check?.items ?? card?.items ?? [];
  return (
    <>
      {check?.running !== true && card !== null && <p className="verdict">{card.verdict}</p>}
      <ul className="check-items" aria-live="polite">
        {items.map((item) => (
          <CheckItem key={item.id} item={item} />
        ))}
      </ul>
      {check?.problem != null && (
        <p className="field-note" role="alert" data-invalid="true">
          {check.problem}
        </p>
      )}
      {check?.running === true ? (
        <Button size="small" onClick={() => models.cancelCheck()}>
          <Spinner />
          <Square aria-hidden="true" size={12} />
          {words.stop(check.items.length, check.of)}
        </Button>
      ) : (
        <Button size="small" disabled={isBusy} onClick={() => void models.check(model)}>
          <Stethoscope aria-hidden="true" size={14} />
          {words.check}
        </Button>
      )}
    </>
  );
}

const MARKS = { passed: CircleCheck, failed: CircleAlert, skipped: CircleMinus } as const;

function CheckItem({ item }: { readonly item: ModelCheckItem }): ReactNode {
  const Mark = MARKS[item.outcome];
  return (
    <li data-outcome={item.outcome}>
      <Mark aria-label={words.outcomes[item.outcome]} size={14} />
      <span>{item.label}</span>
      <span className="muted ellipsis">{item.detail}</span>
    </li>
  );
}
