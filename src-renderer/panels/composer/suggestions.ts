import type { OfferedPrompt, OfferedResource } from '#contract/connectors.ts';
import type { Thread } from '#contract/entities.ts';
import type { LibraryHit } from '#contract/library.ts';
import type { RequestOutput } from '#contract/requests.ts';
import type { SavedPrompt } from '#contract/settings.ts';
import type { SkillSummary } from '#contract/skills.ts';
import type { RunMode } from '#contract/vocabulary.ts';
import type { WorkspaceEntry } from '#contract/workspace.ts';
import {
  type Findable,
  type Found,
  fuzzySearch,
  type SearchIndex,
  searchIndex,
} from '../../store/fuzzy-search.ts';
import { hasModeOf } from '../../store/skill-list.ts';
import { appStrings } from '../../strings/app.ts';
import { composerStrings } from '../../strings/composer.ts';
import { suggestionStrings as words } from '../../strings/suggestions.ts';

/** What choosing a suggestion puts into the message, or does. */
export type SuggestionTarget =
  | { readonly kind: 'mode'; readonly mode: RunMode }
  | { readonly kind: 'skill'; readonly skillId: string }
  | { readonly kind: 'prompt'; readonly text: string }
  | { readonly kind: 'action'; readonly action: 'save' | 'edit' }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'task'; readonly threadId: string; readonly title: string }
  | { readonly kind: 'document'; readonly url: string }
  | (OfferedBy & { readonly kind: 'resource'; readonly resource: OfferedResource })
  | (OfferedBy & { readonly kind: 'offeredPrompt'; readonly prompt: OfferedPrompt });

/** The connector that offers it. */
interface OfferedBy {
  readonly connectorId: string;
  readonly connector: string;
}

/** What a connector offers, once it was chosen. */
export type ChosenOffer = Extract<SuggestionTarget, { kind: 'offeredPrompt' | 'resource' }>;
export type Offers = RequestOutput<'connectors.offers'>['offers'];

export interface Suggestion extends Findable {
  readonly key: string;
  readonly target: SuggestionTarget;
}

export interface SuggestionGroup {
  readonly title: string;
  /** Place of its first suggestion among all. */
  readonly from: number;
  readonly found: readonly Found<Suggestion>[];
}

/** Suggestions that are searched together, and at most eight of which are shown. */
export interface SuggestionSource {
  readonly kind: SuggestionTarget['kind'];
  readonly index: SearchIndex<Suggestion>;
  readonly all: readonly Suggestion[];
}

const MOST_SHOWN = 8;
/** Of a title, no more is searched or shown. */
const TITLE_CHARS = 200;

/** The best of each source, and the source with the best one first; without a query, the first ones. */
export function findSuggestions(
  sources: readonly SuggestionSource[],
  query: string,
): readonly SuggestionGroup[] {
  let from = 0;
  return sources
    .map(({ kind, all, index }) => ({
      title: words.groups[kind],
      found:
        query === ''
          ? all.slice(0, MOST_SHOWN).map(asFound)
          : fuzzySearch(index, query, { limit: MOST_SHOWN, byWords: true }).found,
    }))
    .toSorted((a, b) => (b.found[0]?.score ?? 0) - (a.found[0]?.score ?? 0))
    .flatMap(({ title, found }) => {
      if (found.length === 0) return [];
      const group = { title, from, found };
      from += found.length;
      return [group];
    });
}

/** What was found by something else than its letters. */
export function foundGroup(
  kind: SuggestionTarget['kind'],
  from: number,
  all: readonly Suggestion[],
): readonly SuggestionGroup[] {
  const found = all.slice(0, MOST_SHOWN).map(asFound);
  return found.length === 0 ? [] : [{ title: words.groups[kind], from, found }];
}

function asFound(item: Suggestion): Found<Suggestion> {
  return { item, pieces: [{ text: item.title, matched: false }], score: 1 };
}

function source(kind: SuggestionTarget['kind'], all: readonly Suggestion[]): SuggestionSource {
  return { kind, all, index: searchIndex(all) };
}

/** What `/` offers. */
export function slashSources({
  modes,
  skills,
  prompts,
  offers,
  canSave,
}: {
  readonly offers: Offers;
  readonly modes: readonly RunMode[];
  readonly skills: readonly SkillSummary[];
  readonly prompts: readonly SavedPrompt[];
  /** Whether there is a message to save. */
  readonly canSave: boolean;
}): readonly SuggestionSource[] {
  const actions = canSave ? (['save', 'edit'] as const) : (['edit'] as const);
  return [
    source(
      'mode',
      modes.map((mode) => ({
        key: `mode ${mode}`,
        title: composerStrings.modes[mode],
        detail: composerStrings.modeHints[mode],
        target: { kind: 'mode', mode },
      })),
    ),
    source(
      'prompt',
      prompts.map(({ name, text }) => ({
        key: `prompt ${name}`,
        title: clipped(name),
        detail: clipped(text),
        target: { kind: 'prompt', text },
      })),
    ),
    source(
      'skill',
      skills
        .filter(({ id, state }) => state === 'ready' && !hasModeOf(id))
        .map(({ id, name, description }) => ({
          key: `skill ${id}`,
          title: clipped(name),
          detail: clipped(description),
          target: { kind: 'skill', skillId: id },
        })),
    ),
    source(
      'offeredPrompt',
      offers.flatMap(({ connectorId, connector, prompts: offered }) =>
        offered.map((prompt) => ({
          key: `prompt of ${connectorId} ${prompt.name}`,
          title: clipped(prompt.title),
          // Found by its name too, which people know from other clients.
          detail: detailOf(`${connector}/${prompt.name}`, prompt.description),
          target: { kind: 'offeredPrompt', ...{ connectorId, connector, prompt } },
        })),
      ),
    ),
    source(
      'action',
      actions.map((action) => ({
        key: `action ${action}`,
        title: action === 'save' ? words.savePrompt : words.editPrompts,
        detail: '',
        target: { kind: 'action', action },
      })),
    ),
  ];
}

/** The files of a workspace, the newest first: by their names, or, where a `/` is typed, by their paths. */
export function fileSource(
  entries: readonly WorkspaceEntry[],
  by: 'name' | 'path',
): SuggestionSource {
  const files = entries
    .filter(({ kind }) => kind === 'file')
    .toSorted((a, b) => b.modifiedAt - a.modifiedAt);
  return source(
    'file',
    files.map(({ path }) => {
      const cut = by === 'path' ? 0 : path.lastIndexOf('/') + 1;
      return {
        key: `file ${path}`,
        title: clipped(path.slice(cut)),
        detail: clipped(path.slice(0, Math.max(0, cut - 1))),
        target: { kind: 'file', path },
      };
    }),
  );
}

/** The other tasks, the newest first. */
export function taskSource(threads: readonly Thread[], own: string | null): SuggestionSource {
  return source(
    'task',
    threads
      .filter(({ id }) => id !== own)
      .toSorted((a, b) => b.updatedAt - a.updatedAt)
      .map(({ id, title }) => ({
        key: `task ${id}`,
        title: title === '' ? appStrings.untitled : clipped(title),
        detail: '',
        target: { kind: 'task', threadId: id, title: clipped(title) },
      })),
  );
}

/** Resources of connectors, to attach. */
export function resourceSource(offers: Offers): SuggestionSource {
  return source(
    'resource',
    offers.flatMap(({ connectorId, connector, resources }) =>
      resources.map((resource) => ({
        key: `resource of ${connectorId} ${resource.uri}`,
        // Those that ask for something first say so.
        title: `${clipped(resource.name)}${resource.variables.length > 0 ? '…' : ''}`,
        detail: detailOf(connector, resource.description || resource.uri),
        target: { kind: 'resource', ...{ connectorId, connector, resource } },
      })),
    ),
  );
}

/** Documents of the library as suggestions. */
export function documentSuggestions(hits: readonly LibraryHit[]): readonly Suggestion[] {
  return hits.map(({ url, title, path }) => ({
    key: `document ${url}`,
    title: clipped(title),
    detail: clipped(path),
    target: { kind: 'document', url },
  }));
}

function detailOf(source: string, words: string): string {
  return clipped(words === '' ? source : `${source}: ${words}`);
}

function clipped(text: string): string {
  if (text.length <= TITLE_CHARS) return text;
  // Not in the middle of a character of two units.
  return `${text.slice(0, TITLE_CHARS).replace(/[\ud800-\udbff]$/, '')}…`;
}
