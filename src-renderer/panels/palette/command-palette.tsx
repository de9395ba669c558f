import { Cpu, type LucideIcon, MessageSquare, Puzzle, Settings, Zap } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Thread } from '#contract/entities.ts';
import { keysOf, runCommand, useCommands } from '../../commands-context.ts';
import { type Choices, useChoices } from '../../components/use-choices.ts';
import { useApp, useSession } from '../../session-context.ts';
import { chooseModel } from '../../store/choose-model.ts';
import { recentChoices, rememberChoice } from '../../store/recent-choices.ts';
import { draftKey, loadedValue } from '../../store/selectors.ts';
import { paletteStrings as words } from '../../strings/palette.ts';
import { findEntries, type ResultGroup } from './find-entries.ts';
import { FoundOption } from './found-option.tsx';
import { type PaletteEntry, type PaletteTarget, paletteEntries } from './palette-entries.ts';

const ICONS: Readonly<Record<PaletteTarget['kind'], LucideIcon>> = {
  action: Zap,
  task: MessageSquare,
  setting: Settings,
  model: Cpu,
  skill: Puzzle,
};

/** Finds any task, action, setting, model or skill by a few letters, and goes there. */
export function CommandPalette({ onClose }: { readonly onClose: () => void }): ReactNode {
  // Where the focus goes back to, unless what is chosen takes it.
  const [before] = useState(() => document.activeElement);
  const choose = useTarget();
  const close = (): void => {
    flushSync(onClose);
    if (before instanceof HTMLElement) before.focus();
  };
  return (
    <Dialog.Root open onOpenChange={(open) => !open && close()}>
      <Dialog.Portal>
        <Dialog.Overlay className="overlay" />
        <Dialog.Content
          className="palette"
          aria-describedby={undefined}
          onCloseAutoFocus={(event) => event.preventDefault()}
        >
          <Dialog.Title className="visually-hidden">{words.title}</Dialog.Title>
          <Finder
            onChoose={({ key, target }) => {
              rememberChoice(localStorage, key);
              close();
              choose(target);
            }}
          />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Finder({ onChoose }: { readonly onChoose: (entry: PaletteEntry) => void }): ReactNode {
  const [query, setQuery] = useState('');
  const entries = useEntries();
  const [recent] = useState(() => recentChoices(localStorage));
  const find = useMemo(() => findEntries(entries, recent), [entries, recent]);
  const { groups, total } = useMemo(() => find(query), [find, query]);
  const shown = groups.flatMap(({ found }) => found);
  const choices = useChoices({
    keys: shown.map(({ item }) => item.key),
    query,
    onChoose: (index) => {
      const chosen = shown[index];
      if (chosen !== undefined) onChoose(chosen.item);
    },
  });
  const isFound = shown.length > 0;
  return (
    <>
      <input
        type="text"
        className="palette-input"
        role="combobox"
        aria-label={words.placeholder}
        aria-expanded={isFound}
        aria-controls={choices.listId}
        aria-activedescendant={choices.activeId}
        aria-autocomplete="list"
        placeholder={words.placeholder}
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        value={query}
        onChange={(event) => setQuery(event.target.value)}
        onKeyDown={choices.press}
      />
      <div
        className="palette-list"
        role="listbox"
        id={choices.listId}
        aria-label={words.results}
        hidden={!isFound}
      >
        {groups.map((group) => (
          <Group key={group.title} group={group} {...{ choices, onChoose }} />
        ))}
      </div>
      <p className="palette-note" role="status">
        {query.trim() !== '' && (isFound ? words.count(shown.length, total) : words.nothing(query))}
      </p>
    </>
  );
}

function Group({
  group: { title, from, found },
  choices,
  onChoose,
}: {
  readonly group: ResultGroup;
  readonly choices: Choices;
  readonly onChoose: (entry: PaletteEntry) => void;
}): ReactNode {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a listbox has no element for its groups
    <div role="group" aria-label={title}>
      <div className="menu-label" aria-hidden="true">
        {title}
      </div>
      {found.map(({ item, pieces }, index) => (
        <FoundOption
          key={item.key}
          icon={ICONS[item.target.kind]}
          pieces={pieces}
          detail={item.detail}
          id={choices.idOf(from + index)}
          active={from + index === choices.active}
          onPoint={() => choices.setActive(from + index)}
          onChoose={() => onChoose(item)}
        >
          <OptionEnd target={item.target} />
        </FoundOption>
      ))}
    </div>
  );
}

/** The keys of an action, and the kind of anything else. */
function OptionEnd({ target }: { readonly target: PaletteTarget }): ReactNode {
  const keys = target.kind === 'action' ? keysOf(target.command) : null;
  return keys === null ? (
    <span className="palette-kind">{words.kinds[target.kind]}</span>
  ) : (
    <kbd>{keys.shown}</kbd>
  );
}

/** What can be chosen, of all tasks: the list in the sidebar may show those of a search only. */
function useEntries(): readonly PaletteEntry[] {
  const { bridge, skills: skillActions, settings } = useSession();
  const offered = useCommands().get();
  const skills = useApp((state) => state.skills);
  const servers = useApp((state) => state.servers);
  const listed = useApp((state) => loadedValue(state.threads));
  const isSearch = useApp((state) => state.search.trim() !== '');
  const [all, setAll] = useState<readonly Thread[] | null>(null);
  const opened = useRef(false);
  useEffect(() => {
    if (opened.current) return;
    opened.current = true;
    void skillActions.load();
    if (servers.phase === 'idle') void settings.refreshServers();
    if (!isSearch) return;
    void bridge.request('threads.list', {}).then((result) => {
      if (result.ok) setAll(result.data.threads);
    });
  }, [bridge, isSearch, servers.phase, settings, skillActions]);
  return useMemo(
    () => paletteEntries({ skills, servers }, all ?? listed ?? [], offered),
    [skills, servers, all, listed, offered],
  );
}

/** Goes where an entry leads. */
function useTarget(): (target: PaletteTarget) => void {
  const session = useSession();
  const commands = useCommands();
  return (target) => {
    switch (target.kind) {
      case 'action':
        runCommand(commands, target.command);
        break;
      case 'task':
        void session.threads.open(target.threadId);
        break;
      case 'setting':
        session.settings.show(target.section, target.field);
        break;
      case 'model':
        chooseModel(session, draftKey(session.store.get()), target.model);
        break;
      case 'skill':
        session.skills.show({ view: 'detail', skillId: target.skillId });
        break;
    }
  };
}
