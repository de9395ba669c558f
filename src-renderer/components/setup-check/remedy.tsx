import type { ReactNode } from 'react';
import { getModelStrings } from '../../strings/first-start.ts';
import { setupCheckStrings } from '../../strings/setup-check.ts';
import { CopyButton } from '../copy-button.tsx';

/** A command to type, in a sentence that says what to do. */
const COMMAND =
  /(?<![\w/-])(?:(?:sudo )?(?:apt|apt-get|dnf|pacman|zypper|brew|npm|docker|ollama|systemctl|usermod|sysctl) [^(),;:]*?[^(),;:.\s](?=\s?[(),;]|\.?$|\. )|hyperagent [a-z]+)/;

/** The command in a remedy; null where it has none. */
export function commandIn(remedy: string): string | null {
  return COMMAND.exec(remedy)?.[0].trim() ?? null;
}

/** What to do about something that is missing, in one line, with its command to copy. */
export function Remedy({ text }: { readonly text: string }): ReactNode {
  const command = commandIn(text);
  return (
    <p className="remedy">
      <span className="section-label">{setupCheckStrings.toDo}</span> {text}
      {command !== null && (
        <CopyButton label={getModelStrings.copyCommand(command)} text={() => command} />
      )}
    </p>
  );
}
