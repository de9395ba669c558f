import { Globe, GlobeLock, WifiOff } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import type { ReactNode } from 'react';
import type { NetworkPolicy } from '#contract/vocabulary.ts';
import { Tip } from '../../components/tip.tsx';
import { networkStrings as words } from '../../network-strings.ts';
import { useApp, useSession } from '../../session-context.ts';
import type { Draft } from '../../store/app-state.ts';
import { chosenNetwork } from '../../store/selectors.ts';

const POLICIES = ['offline', 'allowlist', 'open'] as const satisfies readonly NetworkPolicy[];
const ICONS = { offline: WifiOff, allowlist: GlobeLock, open: Globe } as const;

/** What the next message's run may reach; a task keeps to what it had. */
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
  const Icon = ICONS[chosen];
  const label = words.current(words.short[chosen]);
  return (
    <DropdownMenu.Root modal={false}>
      <Tip text={label} side="top">
        {/* A wrapper keeps the two sets of state attributes apart. */}
        <span>
          <DropdownMenu.Trigger asChild>
            <button
              type="button"
              className="button icon-button"
              data-variant="ghost"
              aria-label={label}
            >
              <Icon aria-hidden="true" size={16} />
            </button>
          </DropdownMenu.Trigger>
        </span>
      </Tip>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          className="menu network-menu"
          align="end"
          sideOffset={6}
          collisionPadding={12}
        >
          <DropdownMenu.Label className="menu-note">{words.mayReach}</DropdownMenu.Label>
          <DropdownMenu.RadioGroup
            value={chosen}
            onValueChange={(value) => {
              const network = POLICIES.find((policy) => policy === value);
              if (network !== undefined) drafts.change(draftKey, { network });
            }}
          >
            {POLICIES.map((policy) => (
              <DropdownMenu.RadioItem key={policy} value={policy} className="menu-item">
                <span aria-hidden="true" className="menu-check" />
                <span className="network-choice">{words.settings.networkChoices[policy]}</span>
              </DropdownMenu.RadioItem>
            ))}
          </DropdownMenu.RadioGroup>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
