import type { LibraryFolder, LibraryHit, LibraryState } from '#contract/library.ts';
import type { PushMessage, RequestInput } from '#contract/requests.ts';
import { Refusal } from './refusal.ts';

/** A library of one folder, with a file that cannot be read; a folder that is attached is ready at once. */
export class FakeLibrary {
  state: LibraryState = {
    folders: [
      fakeFolder('/home/me/notes', {
        ...{ files: 3, indexed: 2, problems: 1 },
        issues: [{ file: 'scan.pdf', problem: 'It has pages but no text.' }],
      }),
    ],
    embeddings: { model: null, state: 'off', passages: 12, embedded: 0, problem: null },
  };
  hits: LibraryHit[] = [
    {
      url: 'library:0123456789abcdef/harbour.md',
      title: 'The harbour',
      path: '/home/me/notes/harbour.md',
      snippet: 'The crane of the old harbour lifts 40 tonnes.',
      modifiedAt: 1_700_000_000_000,
    },
  ];
  readonly #push: (message: PushMessage) => void;

  constructor(push: (message: PushMessage) => void) {
    this.#push = push;
  }

  readonly handlers = {
    'library.list': (): LibraryState => this.state,
    'library.add': ({ path }: RequestInput<'library.add'>): LibraryState => {
      if (!path.startsWith('/')) throw new Refusal('BAD_REQUEST', `"${path}" is not a whole path.`);
      return this.#set([...this.state.folders, fakeFolder(path, { files: 1, indexed: 1 })]);
    },
    'library.remove': ({ path }: RequestInput<'library.remove'>): LibraryState =>
      this.#set(this.state.folders.filter((folder) => folder.path !== path)),
    'library.refresh': (_input: RequestInput<'library.refresh'>): LibraryState => this.state,
    'library.search': ({ query, by }: RequestInput<'library.search'>): { hits: LibraryHit[] } => ({
      hits: this.hits.filter(({ snippet, title, path }) =>
        (by === 'name' ? `${title}\n${path}` : snippet).toLowerCase().includes(query.toLowerCase()),
      ),
    }),
  };

  #set(folders: LibraryFolder[]): LibraryState {
    this.state = { ...this.state, folders };
    this.#push({ kind: 'library_changed', library: this.state });
    return this.state;
  }
}

function fakeFolder(path: string, fields: Partial<LibraryFolder> = {}): LibraryFolder {
  return {
    ...{
      path,
      state: 'ready',
      files: 0,
      indexed: 0,
      problems: 0,
      issues: [],
      leftOut: 0,
      reading: null,
    },
    ...{ problem: null, at: 1_700_000_000_000 },
    ...fields,
  };
}
