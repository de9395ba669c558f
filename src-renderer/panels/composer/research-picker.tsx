import { Telescope } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ResearchDepth, ResearchScenario } from '#contract/vocabulary.ts';
import { ChoiceMenu, MenuChoices } from '../../components/choice-menu.tsx';
import { useApp, useSession } from '../../session-context.ts';
import type { Draft } from '../../store/app-state.ts';
import { researchStrings } from '../../strings/research.ts';

const words = researchStrings.picker;
const DEPTHS = ['fast', 'standard', 'deep'] as const satisfies readonly ResearchDepth[];
const SCENARIOS = [
  'academic',
  'market',
  'technical',
  'news',
] as const satisfies readonly ResearchScenario[];
/** Stands for "no choice" in a menu, whose values cannot be null. */
const UNCHOSEN = '';

/** The depth of the next research, and its kind of sources. */
export function ResearchPicker({
  draftKey,
  draft: { researchDepth, scenario },
}: {
  readonly draftKey: string;
  readonly draft: Pick<Draft, 'researchDepth' | 'scenario'>;
}): ReactNode {
  const { drafts } = useSession();
  const usual = useApp((state) => state.settings?.researchDepth ?? 'standard');
  const depthText = researchStrings.depths[researchDepth ?? usual];
  const scenarioText = scenario === null ? words.anyScenario : researchStrings.scenarios[scenario];
  return (
    <ChoiceMenu
      label={words.label(depthText, scenarioText)}
      className="research-picker"
      align="start"
      face={
        <>
          <Telescope aria-hidden="true" size={15} />
          <span className="research-picker-text">
            {depthText}
            {scenario !== null && `, ${scenarioText}`}
          </span>
        </>
      }
    >
      <MenuChoices
        title={words.depth}
        value={researchDepth ?? UNCHOSEN}
        choices={[
          [UNCHOSEN, words.fromSettings(researchStrings.depths[usual])],
          ...DEPTHS.map(
            (depth) =>
              [depth, `${researchStrings.depths[depth]}: ${words.depthHints[depth]}`] as const,
          ),
        ]}
        onChoose={(chosen) =>
          drafts.change(draftKey, { researchDepth: chosen === UNCHOSEN ? null : chosen })
        }
      />
      <MenuChoices
        title={words.scenario}
        value={scenario ?? UNCHOSEN}
        choices={[
          [UNCHOSEN, words.fromQuestion],
          ...SCENARIOS.map((one) => [one, researchStrings.scenarios[one]] as const),
        ]}
        onChoose={(chosen) =>
          drafts.change(draftKey, { scenario: chosen === UNCHOSEN ? null : chosen })
        }
      />
    </ChoiceMenu>
  );
}
