import type { Migration } from '../migrate.ts';

/** Sign-ins that the user saved. What is listed is readable without the keychain, so that all can be deleted. */
export const signIns: Migration = {
  version: 16,
  name: 'sign-ins',
  sql: `
    CREATE TABLE sign_ins (
      id TEXT PRIMARY KEY,
      name TEXT NOT NULL,
      -- The name as names are compared.
      name_key TEXT NOT NULL UNIQUE,
      site TEXT NOT NULL,
      saved_at INTEGER NOT NULL,
      used_at INTEGER,
      sealed BLOB NOT NULL
    ) STRICT;
  `,
};
