import { ATTACHMENT_LIMIT_BYTES, ATTACHMENT_LIMIT_COUNT } from '#contract/limits.ts';
import { readAsBase64 } from '../bridge/read-file.ts';
import { composerStrings } from '../strings/composer.ts';
import { type AppState, type Draft, type DraftAttachment, withEntry } from './app-state.ts';
import { type ActionContext, showToast } from './context.ts';
import { draftOf } from './selectors.ts';

export interface DraftActions {
  change(key: string, change: Partial<Omit<Draft, 'attachments'>>): void;
  /** Uploads files at once, so that sending the message need not wait for them. */
  attach(key: string, files: readonly File[]): void;
  detach(key: string, attachmentKey: string): void;
}

export function createDraftActions(context: ActionContext): DraftActions {
  const { store, bridge } = context;
  let nextKey = 1;

  async function take(key: string, attachment: DraftAttachment, file: File): Promise<void> {
    const settle = (change: Partial<DraftAttachment>): void =>
      store.update((state) => changeAttachment(state, key, { ...attachment, ...change }));
    try {
      const data = await readAsBase64(file);
      const result = await bridge.request('attachments.add', { name: file.name, data });
      if (result.ok) {
        const { attachmentId, name, size, picture } = result.data;
        settle({ state: 'ready', attachmentId, name, size, picture });
      } else {
        settle({ state: 'failed', problem: result.error.message });
      }
    } catch {
      // The file is gone or unreadable; its chip says so and can be removed.
      settle({ state: 'failed', problem: composerStrings.unreadable(file.name) });
    }
  }

  return {
    change: (key, change) =>
      store.update((state) => {
        const drafts = withEntry(state.drafts, key, { ...draftOf(state, key), ...change });
        return { ...state, drafts };
      }),
    attach: (key, files) => {
      for (const file of files) {
        const { attachments } = draftOf(store.get(), key);
        if (attachments.length >= ATTACHMENT_LIMIT_COUNT) {
          showToast(store, 'error', composerStrings.tooMany(ATTACHMENT_LIMIT_COUNT));
          return;
        }
        if (file.size > ATTACHMENT_LIMIT_BYTES) {
          showToast(
            store,
            'error',
            composerStrings.tooLarge(file.name, file.size, ATTACHMENT_LIMIT_BYTES),
          );
          continue;
        }
        const attachment: DraftAttachment = {
          key: `attachment ${nextKey++}`,
          name: file.name,
          size: file.size,
          state: 'sending',
          attachmentId: null,
          problem: null,
          picture: null,
        };
        store.update((state) => changeAttachments(state, key, (all) => [...all, attachment]));
        void take(key, attachment, file);
      }
    },
    detach: (key, attachmentKey) =>
      store.update((state) =>
        changeAttachments(state, key, (all) => all.filter(({ key: own }) => own !== attachmentKey)),
      ),
  };
}

function changeAttachments(
  state: AppState,
  key: string,
  change: (attachments: readonly DraftAttachment[]) => readonly DraftAttachment[],
): AppState {
  const draft = draftOf(state, key);
  const attachments = change(draft.attachments);
  return { ...state, drafts: withEntry(state.drafts, key, { ...draft, attachments }) };
}

/** A file that was removed during its upload stays removed. */
function changeAttachment(state: AppState, key: string, changed: DraftAttachment): AppState {
  return changeAttachments(state, key, (all) =>
    all.map((attachment) => (attachment.key === changed.key ? changed : attachment)),
  );
}
