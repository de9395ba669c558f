import { AppError } from '#contract/errors.ts';
import type { Connection } from './connection.ts';

/** Keys of the person, sealed by the operating system; given by the entry point that can. */
export interface SecretSeal {
  /** In words for the person, such as "the keychain of macOS". */
  readonly name: string;
  seal(text: string): Uint8Array;
  open(sealed: Uint8Array): string;
}

export interface SecretStore {
  /** Throws `CONFLICT` where nothing real seals it: a key is never stored in the clear. */
  set(name: string, value: string): void;
  /** The value, or null when there is none or this process cannot open it. */
  get(name: string): string | null;
  delete(name: string): void;
  names(): string[];
  /** Opens every key that is stored, so that it is known; once. Never throws: one that does not open is of no use. */
  recall(): void;
  /** How they are kept, in words for the person; null where none can be. */
  readonly storage: string | null;
}

export interface SecretStoreParts {
  /** Null where the operating system offers no real seal, as in plain Node. */
  readonly seal: SecretSeal | null;
  /** Told every value that passes through, so that it is kept out of logs. */
  readonly onSecret: (value: string) => void;
}

export function openSecrets(
  connection: Connection,
  { seal, onSecret }: SecretStoreParts,
): SecretStore {
  const one = connection.sql<{ sealed: Uint8Array }>('SELECT sealed FROM secrets WHERE name = ?');
  const all = connection.sql<{ name: string }>('SELECT name FROM secrets ORDER BY name');
  const put = connection.sql(
    'INSERT INTO secrets (name, sealed) VALUES (?, ?) ON CONFLICT DO UPDATE SET sealed = excluded.sealed',
  );
  const remove = connection.sql('DELETE FROM secrets WHERE name = ?');
  let isRecalled = seal === null;
  const get = (name: string): string | null => {
    const row = one.get(name);
    if (row === undefined || seal === null) return null;
    const value = openSealed(seal, name, row.sealed);
    onSecret(value);
    return value;
  };
  const names = (): string[] => all.all().map((row) => row.name);
  return {
    set: (name, value) => {
      onSecret(value);
      if (seal === null) throw noSeal(name);
      put.run(name, seal.seal(value));
    },
    get,
    delete: (name) => {
      remove.run(name);
    },
    names,
    recall: () => {
      if (isRecalled) return;
      isRecalled = true;
      for (const name of names()) {
        try {
          get(name);
        } catch (error) {
          // Whoever needs it is told.
          if (!(error instanceof AppError)) throw error;
        }
      }
    },
    storage: seal?.name ?? null,
  };
}

function openSealed(seal: SecretSeal, name: string, sealed: Uint8Array): string {
  try {
    return seal.open(sealed);
  } catch (cause) {
    throw new AppError(
      'CONFLICT',
      `The stored key "${name}" cannot be opened by ${seal.name} any more. Enter it again in the settings.`,
      { details: { name }, cause },
    );
  }
}

function noSeal(name: string): AppError {
  return new AppError(
    'CONFLICT',
    `The key "${name}" was not stored: there is no keychain here that would really protect it. Use the desktop app, or give the key in an environment variable (--api-key-env).`,
    { details: { name } },
  );
}
