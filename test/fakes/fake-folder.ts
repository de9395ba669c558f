import type { Message } from '#contract/entities.ts';
import type { RequestInput, RequestOutput } from '#contract/requests.ts';
import type { FolderChange, GivenFolder, UserFolder } from '#contract/user-folder.ts';
import { Refusal } from './refusal.ts';

const CONTENT = (digit: string): string => digit.repeat(64);

/** The user's own folder in tasks of the fake app, with changes of each kind. */
export class FakeFolder {
  /** By task. */
  readonly folders = new Map<string, UserFolder>();
  changes: FolderChange[] = [
    change({ path: 'notes/plan.md', kind: 'modified', now: CONTENT('1'), becomes: CONTENT('2') }),
    change({ path: 'report.md', kind: 'created', becomes: CONTENT('3') }),
    change({ path: 'old.txt', kind: 'deleted', now: CONTENT('4'), bytes: 0 }),
    change({
      ...{ path: 'budget.csv', kind: 'modified', now: CONTENT('5'), becomes: CONTENT('6') },
      isEditedMeanwhile: true,
    }),
    change({
      path: '.vscode/tasks.json',
      kind: 'created',
      becomes: CONTENT('7'),
      runsByItself: true,
    }),
    change({ path: 'link', kind: 'created', blocked: 'link' }),
  ];
  #applied: FolderChange[] = [];

  /** Gives a folder to a task. */
  give(threadId: string, access: UserFolder['access']): void {
    this.folders.set(threadId, {
      ...{ path: '/home/me/project', name: 'project', access, givenAt: 0, applied: null },
      contents: {
        ...{ files: 12, bytes: 48_000, leftOutCount: 1 },
        leftOut: [{ path: '.git', reason: 'excluded' }],
      },
    });
  }

  /** What a message shows of the folder that it brings. */
  attach(threadId: string, given: GivenFolder | undefined): Message['attachments'] {
    if (given === undefined) return [];
    this.give(threadId, given.access);
    return [{ name: 'project', path: 'project', size: 48_000, folder: given.access }];
  }

  readonly handlers = {
    'folders.check': ({ path }: RequestInput<'folders.check'>): RequestOutput<'folders.check'> => {
      if (!path.startsWith('/')) {
        throw new Refusal('BAD_REQUEST', `"${path}" is not an absolute path.`);
      }
      const leftOut = [{ path: '.git', reason: 'excluded' as const }];
      return { path, contents: { files: 12, bytes: 48_000, leftOut, leftOutCount: 1 } };
    },
    'folders.get': ({ threadId }: RequestInput<'folders.get'>): RequestOutput<'folders.get'> => ({
      folder: this.folders.get(threadId) ?? null,
    }),
    'folders.changes': (
      _input: RequestInput<'folders.changes'>,
    ): RequestOutput<'folders.changes'> => ({
      ...{ changes: this.changes, count: this.changes.length, leftOut: [], leftOutCount: 0 },
    }),
    'folders.diff': (_input: RequestInput<'folders.diff'>): RequestOutput<'folders.diff'> => ({
      now: { kind: 'text', text: 'one\ntwo\n', truncated: false },
      becomes: { kind: 'text', text: 'one\n2\n', truncated: false },
    }),
    'folders.apply': ({
      threadId,
      changes,
    }: RequestInput<'folders.apply'>): RequestOutput<'folders.apply'> => {
      const written = changes.map(({ path }) => path);
      this.#applied = this.changes.filter(({ path }) => written.includes(path));
      this.changes = this.changes.filter(({ path }) => !written.includes(path));
      this.#setApplied(threadId, written.length);
      return { written, refused: [] };
    },
    'folders.undo': ({ threadId }: RequestInput<'folders.undo'>): RequestOutput<'folders.undo'> => {
      const written = this.#applied.map(({ path }) => path);
      this.changes = [...this.#applied, ...this.changes];
      this.#applied = [];
      this.#setApplied(threadId, 0);
      return { written, refused: [] };
    },
  };

  #setApplied(threadId: string, files: number): void {
    const folder = this.folders.get(threadId);
    if (folder === undefined) return;
    this.folders.set(threadId, { ...folder, applied: files === 0 ? null : { at: 1, files } });
  }
}

function change(fields: Pick<FolderChange, 'path' | 'kind'> & Partial<FolderChange>): FolderChange {
  return {
    ...{ bytes: 120, now: null, becomes: null },
    ...{ isEditedMeanwhile: false, runsByItself: false, blocked: null },
    ...fields,
  };
}
