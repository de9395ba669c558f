import { Sparkles } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { tierOfCloud } from '#contract/clouds.ts';
import type { TierRecommendation } from '#contract/models.ts';
import { ModelTier } from '#contract/vocabulary.ts';
import { Button } from '../components/button.tsx';
import { useSession } from '../session-context.ts';
import { settingsStrings } from '../strings/settings.ts';
import { Field, SettingsGroup, useSaving, useSettings } from './field.tsx';
import { ModelSelect } from './model-select.tsx';

const words = settingsStrings.tiers;

/** The model of each tier, and a recommendation from the installed ones. */
export function TierList(): ReactNode {
  const { models } = useSession();
  const [advice, setAdvice] = useState<readonly TierRecommendation[]>([]);
  return (
    <SettingsGroup title={words.title}>
      <p className="muted">{words.hint}</p>
      {ModelTier.options.map((tier) => (
        <Tier key={tier} tier={tier} advice={advice.find((one) => one.tier === tier) ?? null} />
      ))}
      <VisionModel />
      <Button size="small" onClick={() => void models.recommend().then(setAdvice)}>
        <Sparkles aria-hidden="true" size={14} />
        {words.recommend}
      </Button>
    </SettingsGroup>
  );
}

/** The model that looks at pictures for models that do not see. */
function VisionModel(): ReactNode {
  const { visionModel } = useSettings();
  const { problem, saved, save } = useSaving();
  return (
    <Field
      label={words.vision}
      hint={words.visionHint}
      problem={problem}
      saved={saved}
      settings={['visionModel']}
    >
      {(ids) => (
        <ModelSelect
          {...ids}
          value={visionModel}
          none={words.anySeeing}
          onChoose={(chosen) => void save({ visionModel: chosen })}
        />
      )}
    </Field>
  );
}

function Tier({
  tier,
  advice,
}: {
  readonly tier: ModelTier;
  readonly advice: TierRecommendation | null;
}): ReactNode {
  const { tiers, model: ofTask } = useSettings();
  const usual = ofTask === null ? null : tierOfCloud(ofTask.provider, tier);
  const { problem, saved, save } = useSaving();
  const model = advice?.model ?? null;
  const isUsed = model?.provider === tiers[tier]?.provider && model?.name === tiers[tier]?.name;
  return (
    <div className="tier">
      <Field
        label={words.names[tier]}
        hint={words.hints[tier]}
        problem={problem}
        saved={saved}
        settings={['tiers']}
      >
        {(ids) => (
          <ModelSelect
            {...ids}
            value={tiers[tier]}
            none={usual === null ? words.ofTask : words.ofCloud(usual)}
            onChoose={(chosen) => void save({ tiers: { ...tiers, [tier]: chosen } })}
          />
        )}
      </Field>
      {advice !== null && (
        <p className="advice" role="status">
          {model === null ? words.noAdvice : words.advice(model.name)} {advice.reason}
          {model !== null && !isUsed && (
            <Button
              size="small"
              variant="ghost"
              onClick={() => void save({ tiers: { ...tiers, [tier]: model } })}
            >
              {words.use(model.name)}
            </Button>
          )}
        </p>
      )}
    </div>
  );
}
