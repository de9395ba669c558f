import type { PushMessage, RequestInput, RequestOutput } from '#contract/requests.ts';
import type { FakeState } from './fake-bridge.ts';
import { Refusal } from './refusal.ts';

type Handlers = {
  [Name in 'files.list' | 'files.read' | 'files.write' | 'files.move' | 'files.remove']: (
    input: RequestInput<Name>,
  ) => RequestOutput<Name>;
};

export interface FakeFileParts {
  readonly state: () => Pick<FakeState, 'files'>;
  readonly push: (message: PushMessage) => void;
}

/** Another one for another text. The real hash is not at hand in a page. */
function fakeHash(text: string): string {
  let hash = 0;
  for (const letter of text) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) % 0xffffffff;
  return hash.toString(16).padStart(64, '0');
}

/** The files of every task are the same ones, and what is saved is checked as main does. */
export function fakeFileRequests({ state, push }: FakeFileParts): Handlers {
  const hashAt = (path: string): string | null => {
    const file = state().files.get(path);
    return file?.encoding === 'utf8' ? fakeHash(file.data) : null;
  };
  return {
    'files.list': ({ threadId }) => ({
      folder: `/home/me/.hyperagent/workspaces/${threadId}`,
      entries: [...state().files].map(([path, file]) => ({
        ...{ path, kind: 'file' as const, size: file.data.length, modifiedAt: 0 },
      })),
      truncated: false,
    }),
    'files.read': ({ path }) => {
      const file = state().files.get(path);
      if (file === undefined) throw new Refusal('NOT_FOUND', `There is no file ${path}.`);
      const sha256 = hashAt(path);
      return { path, size: file.data.length, truncated: false, ...file, sha256 };
    },
    'files.write': ({ threadId, path, text, was }) => {
      const { files } = state();
      const now = hashAt(path);
      if (now !== was) {
        const what = now === null ? 'was deleted' : 'was changed';
        throw new Refusal('CONFLICT', `${path} ${what} meanwhile, so it was not saved.`, { now });
      }
      const mimeType = files.get(path)?.mimeType ?? 'text/plain';
      files.set(path, { mimeType, encoding: 'utf8', data: text });
      push({ kind: 'file_changed', threadId, path });
      return { sha256: fakeHash(text) };
    },
    'files.move': ({ threadId, path, to }) => {
      const file = state().files.get(path);
      if (file === undefined) throw new Refusal('NOT_FOUND', `There is no file ${path}.`);
      if (state().files.has(to)) throw new Refusal('CONFLICT', `There is a file ${to} already.`);
      state().files.delete(path);
      state().files.set(to, file);
      for (const one of [path, to]) push({ kind: 'file_changed', threadId, path: one });
      return {};
    },
    'files.remove': ({ threadId, path }) => {
      if (!state().files.delete(path)) throw new Refusal('NOT_FOUND', `There is no file ${path}.`);
      push({ kind: 'file_changed', threadId, path });
      return {};
    },
  };
}
