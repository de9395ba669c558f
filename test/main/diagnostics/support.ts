import { KnownSecrets } from '#main/base/known-secrets.ts';
import type { Identity } from '#main/diagnostics/identity.ts';
import { type CleanerParts, TextCleaner } from '#main/diagnostics/text-cleaner.ts';

export const JANE: Identity = {
  homes: ['/home/jane doe', '/srv/homes/jdoe'],
  users: ['jdoe', 'Jane'],
  hosts: ['janes-laptop.corp.example', 'janes-laptop'],
  words: [],
};

/** A cleaner on the computer of Jane Doe. */
export function janesCleaner({
  known = [],
  ...changes
}: Partial<CleanerParts> & { readonly known?: readonly string[] } = {}): TextCleaner {
  const secrets = new KnownSecrets();
  for (const secret of known) secrets.register(secret);
  return new TextCleaner({
    ...{ secrets, env: {}, identity: JANE, root: '/home/jane doe/apps/hyperagent' },
    dataDir: '/home/jane doe/.local/share/hyperagent',
    ...changes,
  });
}
