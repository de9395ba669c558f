import { Globe, GlobeLock, WifiOff } from 'lucide-react';
import type { ReactNode } from 'react';
import type { NetworkPolicy } from '#contract/vocabulary.ts';
import { ChoiceMenu, MenuChoices } from '../../components/choice-menu.tsx';
import { useLock } from '../../components/locked.tsx';
import { useApp, useSession } from '../../session-context.ts';
import type { Draft } from '../../store/app-state.ts';
import { chosenNetwork } from '../../store/selectors.ts';
import { networkStrings as words } from '../../strings/network.ts';

const POLICIES = ['offline', 'allowlist', 'open'] as const satisfies readonly NetworkPolicy[];
const ICONS = { offline: WifiOff, allowlist: GlobeLock, open: Globe } as const;

/** The network policy of the next run; by default the task's last one. */
export function NetworkPicker({
  threadId,
  draftKey,
  draft,
}: {
  readonly threadId: string | null;
  readonly draftKey: string;
  readonly draft: Draft;
}): ReactNode {
  const { drafts } = useSession();
  const chosen = useApp((state) => chosenNetwork(state, threadId, draft));
  const lock = useLock(['network']);
  const Icon = ICONS[chosen];
  return (
    <ChoiceMenu
      label={words.current(words.short[chosen])}
      className="icon-button"
      align="end"
      face={<Icon aria-hidden="true" size={16} />}
    >
      <MenuChoices
        title={words.mayReach}
        value={chosen}
        lock={lock}
        choices={POLICIES.map((policy) => [policy, words.settings.networkChoices[policy]] as const)}
        onChoose={(network) => drafts.change(draftKey, { network })}
      />
    </ChoiceMenu>
  );
}
