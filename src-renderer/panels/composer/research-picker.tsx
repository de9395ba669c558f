import { Telescope } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import type { ReactNode } from 'react';
import type { ResearchDepth, ResearchScenario } from '#contract/vocabulary.ts';
import { Tip } from '../../components/tip.tsx';
import { researchStrings } from '../../research-strings.ts';
import { useApp, useSession } from '../../session-context.ts';
import type { Draft } from '../../store/app-state.ts';

const words = researchStrings.picker;
const DEPTHS = ['fast', 'standard', 'deep'] as const satisfies readonly ResearchDepth[];
const SCENARIOS = [
  'academic',
  'market',
  'technical',
  'news',
] as const satisfies readonly ResearchScenario[];
/** Stands for "nothing was chosen" in a menu, which knows no null. */
const UNCHOSEN = '';

/** How far the next research goes, and what kind of sources it wants. */
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
  const label = words.label(depthText, scenarioText);
  return (
    <DropdownMenu.Root modal={false}>
      <Tip text={label} side="top">
        {/* A wrapper keeps the two sets of state attributes apart. */}
        <span>
          <DropdownMenu.Trigger asChild>
            <button
              type="button"
              className="button research-picker"
              data-variant="ghost"
              aria-label={label}
            >
              <Telescope aria-hidden="true" size={15} />
              <span className="research-picker-text">
                {depthText}
                {scenario !== null && `, ${scenarioText}`}
              </span>
            </button>
          </DropdownMenu.Trigger>
        </span>
      </Tip>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          className="menu network-menu"
          align="start"
          sideOffset={6}
          collisionPadding={12}
        >
          <DropdownMenu.Label className="menu-note">{words.depth}</DropdownMenu.Label>
          <DropdownMenu.RadioGroup
            value={researchDepth ?? UNCHOSEN}
            onValueChange={(value) => {
              const chosen = DEPTHS.find((depth) => depth === value) ?? null;
              drafts.change(draftKey, { researchDepth: chosen });
            }}
          >
            <Choice value={UNCHOSEN} text={words.fromSettings(researchStrings.depths[usual])} />
            {DEPTHS.map((depth) => (
              <Choice
                key={depth}
                value={depth}
                text={`${researchStrings.depths[depth]}: ${words.depthHints[depth]}`}
              />
            ))}
          </DropdownMenu.RadioGroup>
          <DropdownMenu.Label className="menu-note">{words.scenario}</DropdownMenu.Label>
          <DropdownMenu.RadioGroup
            value={scenario ?? UNCHOSEN}
            onValueChange={(value) => {
              const chosen = SCENARIOS.find((one) => one === value) ?? null;
              drafts.change(draftKey, { scenario: chosen });
            }}
          >
            <Choice value={UNCHOSEN} text={words.fromQuestion} />
            {SCENARIOS.map((one) => (
              <Choice key={one} value={one} text={researchStrings.scenarios[one]} />
            ))}
          </DropdownMenu.RadioGroup>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

function Choice({ value, text }: { readonly value: string; readonly text: string }): ReactNode {
  return (
    <DropdownMenu.RadioItem value={value} className="menu-item">
      <span aria-hidden="true" className="menu-check" />
      <span className="network-choice">{text}</span>
    </DropdownMenu.RadioItem>
  );
}
