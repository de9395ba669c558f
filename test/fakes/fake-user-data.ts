import type { PushMessage, RequestInput, RequestOutput } from '#contract/requests.ts';
import { CONFIRMATION_WORDS, type DataExport, StoredKind } from '#contract/user-data.ts';
import { Refusal } from './refusal.ts';

const EXPORTED: readonly StoredKind[] = ['tasks', 'files', 'library', 'skills', 'connectors'];
const MB = 1_000_000;

/** Everything that the fake app stores, at once: an export runs until a test ends it. */
export class FakeUserData {
  /** The export that runs, or the last one. */
  export: DataExport | null = null;
  /** What the user answers when the desktop app asks where to save; null for a browser. */
  file: string | null = '/home/me/hyperagent-export.zip';
  #next = 0;
  readonly #push: (message: PushMessage) => void;

  constructor(push: (message: PushMessage) => void) {
    this.#push = push;
  }

  /** Changes the export as main would, and publishes it. */
  change(changes: Partial<DataExport>): void {
    if (this.export === null) throw new Error('No export was started');
    this.export = { ...this.export, ...changes };
    this.#push({ kind: 'data_export', export: this.export });
  }

  readonly handlers = {
    'data.get': (_input: RequestInput<'data.get'>): RequestOutput<'data.get'> => ({
      dataDir: '/home/me/.local/share/hyperagent',
      parts: StoredKind.options.map((kind, index) => ({
        ...{ kind, path: `/home/me/.local/share/hyperagent/${kind}`, files: index * 12 },
        bytes: kind === 'models' ? 5_200 * MB : index * index * MB,
        isExported: EXPORTED.includes(kind),
      })),
      tasks: 7,
      keys: ['lm-studio'],
      export: this.export,
    }),
    'data.export': (_input: RequestInput<'data.export'>): RequestOutput<'data.export'> => {
      this.#next += 1;
      this.export = {
        ...{
          id: `export_${this.#next}`,
          status: 'running',
          doneTasks: 0,
          tasks: 7,
          files: 0,
          bytes: 0,
        },
        ...{ leftOut: 0, file: this.file, problem: null },
      };
      return { export: this.export, download: this.file === null ? '/export/ticket' : null };
    },
    'data.delete': ({
      confirmation,
    }: RequestInput<'data.delete'>): RequestOutput<'data.delete'> => {
      if (!CONFIRMATION_WORDS.some((word) => word === confirmation.trim().toLowerCase())) {
        throw new Refusal('BAD_REQUEST', 'Nothing was deleted. Type "delete" to confirm.');
      }
      return { next: 'ends' };
    },
    'data.cancelExport': (_input: RequestInput<'data.cancelExport'>) => {
      if (this.export?.status === 'running') this.change({ status: 'cancelled' });
      return {};
    },
  };
}
