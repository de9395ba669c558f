import { AppError } from '#contract/errors.ts';
import type { SavedSignIn } from '#contract/sign-ins.ts';
import type { Clock } from '../base/clock.ts';
import { newId } from '../base/ids.ts';
import type { Connection } from './connection.ts';
import type { SecretSeal } from './secret-store.ts';

export interface SignInDraft {
  readonly name: string;
  readonly site: string;
  /** Stored sealed only. */
  readonly contents: string;
  /** Takes the place of the one with this name. */
  readonly replace: boolean;
}

export interface SignInStore {
  /** By name. */
  list(): SavedSignIn[];
  /** Throws `NOT_FOUND`. */
  get(id: string): SavedSignIn;
  /** Throws `CONFLICT` if nothing can seal here; names are compared without case. */
  checkName(draft: Pick<SignInDraft, 'name' | 'replace'>): void;
  /** Throws what `checkName` throws. */
  put(draft: SignInDraft): SavedSignIn;
  /** Opens the seal. Throws `NOT_FOUND`, and `CONFLICT` that names it where that fails. */
  open(id: string): string;
  used(id: string): void;
  /** Needs no seal. Throws `NOT_FOUND`. */
  delete(id: string): void;
  /** What seals them, as shown to the user; null if they cannot be saved. */
  readonly storage: string | null;
}

interface SignInRow {
  readonly id: string;
  readonly name: string;
  readonly site: string;
  readonly saved_at: number;
  readonly used_at: number | null;
}

const COLUMNS = 'id, name, site, saved_at, used_at';

/** Sign-ins, each sealed as keys are. */
export function openSignIns(
  connection: Connection,
  { seal, clock }: { readonly seal: SecretSeal | null; readonly clock: Clock },
): SignInStore {
  const all = connection.sql<SignInRow>(`SELECT ${COLUMNS} FROM sign_ins ORDER BY name_key`);
  const one = connection.sql<SignInRow>(`SELECT ${COLUMNS} FROM sign_ins WHERE id = ?`);
  const named = connection.sql<{ name: string }>('SELECT name FROM sign_ins WHERE name_key = ?');
  const sealedOf = connection.sql<{ sealed: Uint8Array }>(
    'SELECT sealed FROM sign_ins WHERE id = ?',
  );
  const put = connection.sql(
    `REPLACE INTO sign_ins (id, name, name_key, site, saved_at, used_at, sealed)
     VALUES (?, ?, ?, ?, ?, NULL, ?)`,
  );
  const setUsed = connection.sql('UPDATE sign_ins SET used_at = ? WHERE id = ?');
  const remove = connection.sql('DELETE FROM sign_ins WHERE id = ?');
  const get = (id: string): SavedSignIn => {
    const row = one.get(id);
    if (row === undefined) throw unknown(id);
    return toSignIn(row);
  };
  const sealFor = (name: string): SecretSeal => {
    if (seal !== null) return seal;
    throw new AppError(
      'CONFLICT',
      `The sign-in "${name}" cannot be saved or used: no keychain is available here to protect it. Use the desktop app.`,
      { details: { name } },
    );
  };
  const checkName: SignInStore['checkName'] = ({ name, replace }) => {
    sealFor(name);
    const taken = named.get(keyOf(name));
    if (taken === undefined || replace) return;
    throw new AppError(
      'CONFLICT',
      `There is a saved sign-in "${taken.name}". Replace it, or choose another name.`,
      { details: { name: taken.name, isTaken: true } },
    );
  };
  return {
    ...{ get, checkName },
    list: () => all.all().map(toSignIn),
    put: (draft) => {
      checkName(draft);
      const { name, site, contents } = draft;
      const savedAt = clock.now();
      const id = newId('signin', savedAt);
      put.run(id, name, keyOf(name), site, savedAt, sealFor(name).seal(contents));
      return { id, name, site, savedAt, usedAt: null };
    },
    open: (id) => {
      const { name } = get(id);
      const row = sealedOf.get(id);
      const opener = sealFor(name);
      if (row === undefined) throw unknown(id);
      try {
        return opener.open(row.sealed);
      } catch (cause) {
        throw new AppError(
          'CONFLICT',
          `The saved sign-in "${name}" can no longer be decrypted with ${opener.name}. Delete it, sign in again and save it again.`,
          { details: { name }, cause },
        );
      }
    },
    used: (id) => {
      setUsed.run(clock.now(), id);
    },
    delete: (id) => {
      if (remove.run(id) === 0) throw unknown(id);
    },
    storage: seal?.name ?? null,
  };
}

/** Names that look the same are the same. */
function keyOf(name: string): string {
  return name.normalize('NFKC').toLowerCase();
}

function unknown(signInId: string): AppError {
  return new AppError('NOT_FOUND', `There is no saved sign-in ${signInId}.`, {
    details: { signInId },
  });
}

function toSignIn({ id, name, site, saved_at, used_at }: SignInRow): SavedSignIn {
  return { id, name, site, savedAt: saved_at, usedAt: used_at };
}
