import type { Artifact } from '#contract/artifacts.ts';
import { saveBase64 } from '../bridge/save-file.ts';
import { artifactStrings as words } from '../strings/artifacts.ts';
import type { ArtifactFilter } from './app-state.ts';
import { type ActionContext, ask, showToast } from './context.ts';
import { PreviewCache } from './preview-cache.ts';
import type { ThreadActions } from './thread-actions.ts';

export interface ArtifactActions {
  /** Small pictures of images. */
  readonly previews: PreviewCache;
  /** Shows the page of all artifacts. */
  show(): void;
  filter(change: Partial<ArtifactFilter>): void;
  /** Something was made, changed or deleted: every list reads again. */
  changed(): void;
  /** Shows the file beside its task. */
  open(artifact: Artifact): void;
  /** The file was shown, or the user went elsewhere. */
  leaveFile(): void;
  /** Shows the task at the call that made the file. */
  openTask(artifact: Artifact): void;
  /** Saves the file, as a download. */
  save(file: Pick<Artifact, 'threadId' | 'path'>): Promise<void>;
  /** The text of the file; null if it has none or is too long, after saying so. */
  readText(artifact: Artifact): Promise<string | null>;
}

export function createArtifactActions(
  context: ActionContext,
  threads: Pick<ThreadActions, 'open' | 'openPlace'>,
): ArtifactActions {
  const { store, bridge } = context;
  return {
    previews: new PreviewCache(bridge),
    show: () =>
      store.update((state) => ({ ...state, route: { kind: 'artifacts' }, settingsSection: null })),
    filter: (change) =>
      store.update((state) => ({
        ...state,
        artifactFilter: { ...state.artifactFilter, ...change },
      })),
    changed: () => store.update((state) => ({ ...state, artifactRound: state.artifactRound + 1 })),
    open: ({ threadId, path }) => {
      store.update((state) => ({ ...state, fileToShow: { threadId, path } }));
      void threads.open(threadId);
    },
    leaveFile: () => {
      if (store.get().fileToShow !== null)
        store.update((state) => ({ ...state, fileToShow: null }));
    },
    openTask: ({ threadId, runId, origin: ref, kind }) =>
      void threads.openPlace(threadId, {
        ...{ runId, kind: kind === 'report' ? 'report' : 'call', ref, words: [] },
      }),
    save: async ({ threadId, path }) => {
      const file = await ask(context, 'artifacts.read', { threadId, path });
      // Without a type of its own, no browser opens it as a page.
      if (file !== null) saveBase64({ ...file, mimeType: 'application/octet-stream' });
    },
    readText: async ({ threadId, path }) => {
      const file = await ask(context, 'files.read', { threadId, path });
      if (file === null) return null;
      const problem = file.encoding !== 'utf8' ? words.notText : file.truncated ? words.cut : null;
      if (problem !== null) showToast(store, 'error', problem);
      return problem === null ? file.data : null;
    },
  };
}
