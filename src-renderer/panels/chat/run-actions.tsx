import { Download, GitFork, RotateCcw, StepForward } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import type { ReactNode } from 'react';
import type { Run } from '#contract/entities.ts';
import { Button, type ButtonProps } from '../../components/button.tsx';
import { MenuButton } from '../../components/menu-button.tsx';
import { useApp, useSession } from '../../session-context.ts';
import { newestRun } from '../../store/selectors.ts';
import { chatStrings } from '../../strings/chat.ts';

/** Sends the message of the run again, to the model that is chosen now. */
export function RunAgain({
  run,
  variant = 'secondary',
}: {
  readonly run: Run;
  readonly variant?: NonNullable<ButtonProps['variant']>;
}): ReactNode {
  const { runs } = useSession();
  return (
    <Button size="small" variant={variant} onClick={() => void runs.again(run.threadId, run.id)}>
      <RotateCcw aria-hidden="true" size={14} />
      {chatStrings.runAgain}
    </Button>
  );
}

/** Continues the conversation as it is; only the newest run of a task can. */
export function RetryStep({
  run,
  variant = 'primary',
}: {
  readonly run: Run;
  readonly variant?: NonNullable<ButtonProps['variant']>;
}): ReactNode {
  const { runs } = useSession();
  const isNewest = useApp((state) => newestRun(state, run.threadId)?.id === run.id);
  if (!isNewest || run.origin?.kind === 'import') return null;
  return (
    <Button size="small" variant={variant} onClick={() => void runs.retry(run.id)}>
      <StepForward aria-hidden="true" size={14} />
      {chatStrings.retryStep}
    </Button>
  );
}

/** More actions on a finished run. */
export function RunMenu({
  run,
  withAgain = false,
}: {
  readonly run: Run;
  /** Also runs it again, where no button beside the menu does. */
  readonly withAgain?: boolean;
}): ReactNode {
  const { runs } = useSession();
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>
        <MenuButton label={chatStrings.more} />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align="start" sideOffset={4}>
          {withAgain && (
            <DropdownMenu.Item
              className="menu-item"
              onSelect={() => void runs.again(run.threadId, run.id)}
            >
              <RotateCcw aria-hidden="true" size={14} />
              {chatStrings.runAgain}
            </DropdownMenu.Item>
          )}
          <DropdownMenu.Item
            className="menu-item"
            onSelect={() => void runs.fork(run.id, run.lastSeq)}
          >
            <GitFork aria-hidden="true" size={14} />
            {chatStrings.forkHere}
          </DropdownMenu.Item>
          <DropdownMenu.Item className="menu-item" onSelect={() => void runs.save(run.id)}>
            <Download aria-hidden="true" size={14} />
            {chatStrings.exportRun}
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
