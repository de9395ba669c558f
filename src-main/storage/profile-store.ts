import { ModelProfile } from '#contract/models.ts';
import type { Connection } from './connection.ts';
import { parseStored } from './stored-json.ts';
import type { ProfileStore } from './types.ts';

export function openProfiles(connection: Connection): ProfileStore {
  const one = connection.sql<{ profile: string }>(
    'SELECT profile FROM model_profiles WHERE provider = ? AND name = ?',
  );
  const all = connection.sql<{ provider: string; name: string; profile: string }>(
    'SELECT * FROM model_profiles ORDER BY provider, name',
  );
  const put = connection.sql(
    'REPLACE INTO model_profiles (provider, name, profile) VALUES (?, ?, ?)',
  );
  const remove = connection.sql('DELETE FROM model_profiles WHERE provider = ? AND name = ?');
  return {
    get: ({ provider, name }) => {
      const row = one.get(provider, name);
      if (row === undefined) return null;
      const where = `the profile of ${provider}:${name}`;
      return parseStored(ModelProfile, row.profile, where, { isOne: true });
    },
    list: () =>
      all
        .all()
        .map(({ provider, name, profile }) =>
          parseStored(ModelProfile, profile, `the profile of ${provider}:${name}`),
        ),
    put: (profile) => {
      put.run(profile.model.provider, profile.model.name, JSON.stringify(profile));
    },
    delete: ({ provider, name }) => {
      remove.run(provider, name);
    },
  };
}
