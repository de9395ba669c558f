import type { Thread } from '#contract/entities.ts';
import { ATTACHMENT_LIMIT_BYTES, ATTACHMENT_LIMIT_COUNT } from '#contract/limits.ts';
import type { RequestInput, RequestResult } from '#contract/requests.ts';
import { readAsBase64 } from '../bridge/read-file.ts';
import { appStrings } from '../strings/app.ts';
import { composerStrings } from '../strings/composer.ts';
import { type AppState, type Draft, type DraftAttachment, withEntry } from './app-state.ts';
import { type ActionContext, showToast } from './context.ts';
import { draftOf } from './selectors.ts';

export interface DraftActions {
  change(key: string, change: Partial<Omit<Draft, 'attachments'>>): void;
  /** Uploads files at once, so that sending the message need not wait for them. */
  attach(key: string, files: readonly File[]): void;
  /** Attaches the conversation of another task as a Markdown file. */
  attachTask(key: string, task: Pick<Thread, 'id' | 'title'>): Promise<void>;
  /** Attaches what a connector gives for an address; starts its server where it does not run. */
  attachResource(
    key: string,
    resource: RequestInput<'connectors.attachResource'> & { readonly name: string },
  ): Promise<void>;
  detach(key: string, attachmentKey: string): void;
}

export function createDraftActions(context: ActionContext): DraftActions {
  const { store, bridge } = context;
  let nextKey = 1;

  /** Adds a chip for a file that is not there yet; null, after saying why, where the message takes no more. */
  function admit(key: string, name: string, size: number): DraftAttachment | null {
    if (draftOf(store.get(), key).attachments.length >= ATTACHMENT_LIMIT_COUNT) {
      showToast(store, 'error', composerStrings.tooMany(ATTACHMENT_LIMIT_COUNT));
      return null;
    }
    const attachment: DraftAttachment = {
      ...{ key: `attachment ${nextKey++}`, name, size },
      ...{ state: 'sending', attachmentId: null, problem: null, picture: null },
    };
    store.update((state) => changeAttachments(state, key, (all) => [...all, attachment]));
    return attachment;
  }

  function settle(
    key: string,
    attachment: DraftAttachment,
    change: Partial<DraftAttachment>,
  ): void {
    store.update((state) => changeAttachment(state, key, { ...attachment, ...change }));
  }

  async function upload(
    key: string,
    attachment: DraftAttachment,
    file: RequestInput<'attachments.add'>,
  ): Promise<void> {
    settleStored(key, attachment, await bridge.request('attachments.add', file));
  }

  function settleStored(
    key: string,
    attachment: DraftAttachment,
    result: RequestResult<'attachments.add'>,
  ): void {
    if (result.ok) {
      const { attachmentId, name, size, picture } = result.data;
      settle(key, attachment, { state: 'ready', attachmentId, name, size, picture });
    } else {
      settle(key, attachment, { state: 'failed', problem: result.error.message });
    }
  }

  async function take(key: string, attachment: DraftAttachment, file: File): Promise<void> {
    try {
      await upload(key, attachment, { name: file.name, data: await readAsBase64(file) });
    } catch {
      // The file is gone or unreadable; its chip says so and can be removed.
      settle(key, attachment, {
        ...{ state: 'failed', problem: composerStrings.unreadable(file.name) },
      });
    }
  }

  async function takeTask(key: string, task: Pick<Thread, 'id' | 'title'>): Promise<void> {
    const attachment = admit(key, `${task.title || appStrings.untitled}.md`, 0);
    if (attachment === null) return;
    const exported = await bridge.request('threads.export', { threadId: task.id, format: 'md' });
    if (!exported.ok) {
      settle(key, attachment, { state: 'failed', problem: exported.error.message });
      return;
    }
    const { fileName: name, data } = exported.data;
    const size = Math.floor((data.length * 3) / 4);
    if (size > ATTACHMENT_LIMIT_BYTES) {
      const problem = composerStrings.tooLarge(name, size, ATTACHMENT_LIMIT_BYTES);
      settle(key, attachment, { state: 'failed', size, problem });
    } else await upload(key, attachment, { name, data });
  }

  return {
    change: (key, change) =>
      store.update((state) => {
        const drafts = withEntry(state.drafts, key, { ...draftOf(state, key), ...change });
        return { ...state, drafts };
      }),
    attach: (key, files) => {
      for (const file of files) {
        if (file.size > ATTACHMENT_LIMIT_BYTES) {
          showToast(
            store,
            'error',
            composerStrings.tooLarge(file.name, file.size, ATTACHMENT_LIMIT_BYTES),
          );
          continue;
        }
        const attachment = admit(key, file.name, file.size);
        if (attachment === null) return;
        void take(key, attachment, file);
      }
    },
    attachTask: takeTask,
    attachResource: async (key, { name, ...resource }) => {
      const attachment = admit(key, name, 0);
      if (attachment === null) return;
      const result = await bridge.request('connectors.attachResource', resource);
      settleStored(key, attachment, result);
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
