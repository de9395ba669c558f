import type { ModelRef, Thread } from '#contract/entities.ts';
import type { OfferedCommands } from '../../commands-context.ts';
import { type AppState, modelKey, type SettingsSection } from '../../store/app-state.ts';
import { COMMANDS, type CommandId } from '../../store/commands.ts';
import type { Findable } from '../../store/fuzzy-search.ts';
import { loadedValue } from '../../store/selectors.ts';
import { appStrings } from '../../strings/app.ts';
import { commandStrings } from '../../strings/commands.ts';
import { settingsStrings } from '../../strings/settings.ts';
import { SETTING_ENTRIES } from './setting-entries.ts';

/** What choosing an entry does. */
export type PaletteTarget =
  | { readonly kind: 'action'; readonly command: CommandId }
  | { readonly kind: 'task'; readonly threadId: string }
  | { readonly kind: 'setting'; readonly section: SettingsSection; readonly field: string | null }
  | { readonly kind: 'model'; readonly model: ModelRef }
  | { readonly kind: 'skill'; readonly skillId: string };

export interface PaletteEntry extends Findable {
  /** The same at every start of the window. */
  readonly key: string;
  readonly target: PaletteTarget;
}

/** Everything that can be chosen now. Tasks come newest first. */
export function paletteEntries(
  state: Pick<AppState, 'skills' | 'servers'>,
  threads: readonly Thread[],
  offered: OfferedCommands,
): readonly PaletteEntry[] {
  return [
    ...actions(offered),
    ...tasks(threads),
    ...settings(),
    ...models(state),
    ...skills(state),
  ];
}

/** The palette itself, and a decision on a question that the palette may cover. */
const NOT_LISTED: readonly CommandId[] = ['palette', 'approve', 'deny'];

function actions(offered: OfferedCommands): PaletteEntry[] {
  return COMMANDS.filter(({ id }) => !NOT_LISTED.includes(id) && offered.has(id)).map(({ id }) => ({
    key: `action ${id}`,
    title: commandStrings.labels[id],
    detail: '',
    target: { kind: 'action', command: id },
  }));
}

function tasks(threads: readonly Thread[]): PaletteEntry[] {
  return threads
    .toSorted((a, b) => b.updatedAt - a.updatedAt)
    .map(({ id, title }) => ({
      key: `task ${id}`,
      title: title === '' ? appStrings.untitled : title,
      detail: '',
      target: { kind: 'task', threadId: id },
    }));
}

function settings(): PaletteEntry[] {
  const { sections, title } = settingsStrings;
  return SETTING_ENTRIES.map(({ section, field }) => ({
    key: `setting ${section} ${field ?? ''}`,
    title: field ?? sections[section],
    detail: field === null ? title : sections[section],
    target: { kind: 'setting', section, field },
  }));
}

function models({ servers }: Pick<AppState, 'servers'>): PaletteEntry[] {
  return (loadedValue(servers) ?? [])
    .filter(({ reachable }) => reachable)
    .flatMap(({ provider, label, models: installed }) =>
      installed.map(({ name }) => ({
        key: `model ${modelKey({ provider, name })}`,
        title: name,
        detail: label,
        target: { kind: 'model', model: { provider, name } } as const,
      })),
    );
}

function skills({ skills: listed }: Pick<AppState, 'skills'>): PaletteEntry[] {
  return (loadedValue(listed) ?? []).map(({ id, name, description }) => ({
    key: `skill ${id}`,
    title: name,
    detail: description,
    target: { kind: 'skill', skillId: id },
  }));
}
