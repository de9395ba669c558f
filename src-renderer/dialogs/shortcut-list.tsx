import './shortcut-list.css';
import type { ReactNode } from 'react';
import { isMacKeyboard } from '../commands-context.ts';
import { Modal } from '../components/modal.tsx';
import { COMMANDS, type CommandGroup, type Shortcut, showShortcut } from '../store/commands.ts';
import { commandStrings } from '../strings/commands.ts';

const GROUPS = Object.keys(commandStrings.groups) as CommandGroup[];

/** Every shortcut, by where it holds. */
export function ShortcutList({ onClose }: { readonly onClose: () => void }): ReactNode {
  return (
    <Modal title={commandStrings.title} onClose={onClose}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className="shortcut-list" tabIndex={0} aria-label={commandStrings.title}>
        {GROUPS.map((group) => (
          <section key={group} className="shortcut-group">
            <h3 className="section-label">{commandStrings.groups[group]}</h3>
            <dl>
              {COMMANDS.filter(
                (command) => command.group === group && command.shortcuts.length > 0,
              ).map(({ id, shortcuts }) => (
                <div key={id} className="shortcut-line">
                  <dt>{commandStrings.labels[id]}</dt>
                  {shortcuts.map((shortcut) => (
                    <Keys key={shortcut.key} shortcut={shortcut} />
                  ))}
                </div>
              ))}
            </dl>
          </section>
        ))}
      </section>
    </Modal>
  );
}

function Keys({ shortcut }: { readonly shortcut: Shortcut }): ReactNode {
  return (
    <dd>
      <kbd>{showShortcut(shortcut, { isMac: isMacKeyboard() })}</kbd>
      {!shortcut.inText && <span className="muted"> {commandStrings.notInText}</span>}
    </dd>
  );
}
