import { AppError } from '#contract/errors.ts';
import type { Connection } from './connection.ts';

/** Encryption of the user's keys by the operating system; provided by entry points that have it. */
export interface SecretSeal {
  /** Shown to the user, such as "the keychain of macOS". */
  readonly name: string;
  seal(text: string): Uint8Array;
  open(sealed: Uint8Array): string;
}

export interface SecretStore {
  /** Throws `CONFLICT` if there is no seal: a key is never stored in plain text. */
  set(name: string, value: string): void;
  /** The value, or null if there is none or this process has no seal. */
  get(name: string): string | null;
  delete(name: string): void;
  names(): string[];
  /** Opens every stored key once, so that it counts as a known secret. Never throws: skips keys that cannot be opened. */
  recall(): void;
  /** How keys are protected, as shown to the user; null if they cannot be stored. */
  readonly storage: string | null;
}

export interface SecretStoreParts {
  /** Null if the operating system offers no real protection, as in plain Node. */
  readonly seal: SecretSeal | null;
  /** Called with every value that passes through, so that it is kept out of logs. */
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
          // A key that cannot be opened fails where it is used, with this error.
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
      `The stored key "${name}" can no longer be decrypted with ${seal.name}. Enter it again in the settings.`,
      { details: { name }, cause },
    );
  }
}

function noSeal(name: string): AppError {
  return new AppError(
    'CONFLICT',
    `The key "${name}" was not stored: no keychain is available here to protect it. Use the desktop app, or pass the key in an environment variable (--api-key-env).`,
    { details: { name } },
  );
}
