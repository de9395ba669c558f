import type { Clock } from '../base/clock.ts';
import type { Connection } from './connection.ts';
import type {
  ApprovedFile,
  SkillDefinition,
  SkillDescription,
  SkillSessionStore,
  SkillStore,
  StoredSkillVersion,
} from './skill-types.ts';

interface DefinitionRow {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly category: string | null;
  readonly author: string;
  readonly metadata_json: string;
  readonly module_path: string;
  readonly source_code_hash: string | null;
  readonly enabled: number;
  readonly is_builtin: number;
  readonly invocation_count: number;
  readonly last_invoked_at: number | null;
}

interface VersionRow {
  readonly version: number;
  readonly language: string;
  readonly source_code: string;
  readonly source_code_hash: string;
  readonly created_at: number;
  readonly approved_at: number | null;
  readonly granted: string;
}

const COLUMNS = `id, name, version, description, category, author, metadata_json, module_path,
  source_code_hash, enabled, is_builtin, invocation_count, last_invoked_at`;

const PUT = `INSERT INTO skill_definitions
    (id, name, version, description, category, author, metadata_json, module_path, is_builtin)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (id) DO UPDATE SET name = excluded.name, version = excluded.version,
    description = excluded.description, category = excluded.category, author = excluded.author,
    metadata_json = excluded.metadata_json`;

export function openSkills(connection: Connection, clock: Clock): SkillStore {
  const all = connection.sql<DefinitionRow>(`SELECT ${COLUMNS} FROM skill_definitions ORDER BY id`);
  const one = connection.sql<DefinitionRow>(
    `SELECT ${COLUMNS} FROM skill_definitions WHERE id = ?`,
  );
  const putDefinition = connection.sql(PUT);
  const setFolder = connection.sql('UPDATE skill_definitions SET module_path = ? WHERE id = ?');
  const setSource = connection.sql(
    'UPDATE skill_definitions SET source_code = ?, source_code_hash = ? WHERE id = ?',
  );
  const setEnabled = connection.sql('UPDATE skill_definitions SET enabled = ? WHERE id = ?');
  const count = connection.sql(
    `UPDATE skill_definitions SET invocation_count = invocation_count + 1, last_invoked_at = ?
     WHERE id = ?`,
  );
  const remove = connection.sql('DELETE FROM skill_definitions WHERE id = ? AND is_builtin = 0');
  const removeBuiltin = connection.sql(
    'DELETE FROM skill_definitions WHERE id = ? AND is_builtin = 1',
  );
  const versions = connection.sql<VersionRow>(
    'SELECT * FROM skill_versions WHERE skill_id = ? ORDER BY version DESC',
  );
  const newestVersions = connection.sql<{
    readonly skill_id: string;
    readonly version: number;
    readonly approved_at: number | null;
  }>(
    // With max(), SQLite takes the other columns from the row with the maximum.
    `SELECT skill_id, max(version) AS version, approved_at FROM skill_versions GROUP BY skill_id`,
  );
  const source = connection.sql<{ source_code: string | null }>(
    'SELECT source_code FROM skill_definitions WHERE id = ?',
  );
  const putVersion = connection.sql(
    `INSERT INTO skill_versions
       (skill_id, version, language, source_code, source_code_hash, created_at)
     VALUES (?, ?, ?, ?, ?, ?)`,
  );
  const approve = connection.sql(
    'UPDATE skill_versions SET approved_at = ?, granted = ? WHERE skill_id = ? AND version = ?',
  );
  const matters = connection.sql<{ folder: string; stamp: string; found: string }>(
    'SELECT folder, stamp, found FROM skill_front_matters',
  );
  const putMatter = connection.sql(
    `INSERT INTO skill_front_matters (folder, stamp, found) VALUES (?, ?, ?)
     ON CONFLICT (folder) DO UPDATE SET stamp = excluded.stamp, found = excluded.found`,
  );
  const approval = connection.sql<{ sha256: string; approved_at: number }>(
    'SELECT sha256, approved_at FROM skill_approvals WHERE folder = ?',
  );
  const putApproval = connection.sql(
    `INSERT INTO skill_approvals (folder, sha256, approved_at) VALUES (?, ?, ?)
     ON CONFLICT (folder) DO UPDATE SET sha256 = excluded.sha256, approved_at = excluded.approved_at`,
  );
  const files = connection.sql<ApprovedFile>(
    'SELECT path, sha256, content FROM skill_approved_files WHERE folder = ? ORDER BY path',
  );
  const clearFiles = connection.sql('DELETE FROM skill_approved_files WHERE folder = ?');
  const putFile = connection.sql(
    'INSERT INTO skill_approved_files (folder, path, sha256, content) VALUES (?, ?, ?, ?)',
  );

  const put = (skill: SkillDescription, folder: string, isBuiltin: boolean): void => {
    const { id, name, version, description, category, author, metadataJson } = skill;
    putDefinition.run(
      ...[id, name, version, description, category, author, metadataJson, folder],
      isBuiltin ? 1 : 0,
    );
  };
  const listVersions = (skillId: string): StoredSkillVersion[] =>
    versions.all(skillId).map(toVersion);
  const isWhole = (skill: SkillDescription, code: string, sha256: string): boolean => {
    const row = one.get(skill.id);
    return (
      row?.source_code_hash === sha256 &&
      row.metadata_json === skill.metadataJson &&
      source.get(skill.id)?.source_code === code
    );
  };
  return {
    definitions: () => all.all().map(toDefinition),
    definition: (id) => {
      const row = one.get(id);
      return row === undefined ? null : toDefinition(row);
    },
    syncBuiltins: (skills) =>
      connection.transaction(() => {
        const known = new Map(all.all().map((row) => [row.id, row]));
        const ids = new Set(skills.map(({ id }) => id));
        for (const row of known.values()) {
          if (row.is_builtin === 1 && !ids.has(row.id)) removeBuiltin.run(row.id);
        }
        for (const skill of skills) {
          // A start writes nothing if nothing is new.
          if (known.get(skill.id)?.metadata_json !== skill.metadataJson) put(skill, '', true);
        }
      }),
    putMarkdown: (skill, folder) =>
      connection.transaction(() => {
        put(skill, folder, false);
        setFolder.run(folder, skill.id);
      }),
    setEnabled: (id, enabled) => void setEnabled.run(enabled ? 1 : 0, id),
    noteInvocation: (id, at) => void count.run(at, id),
    remove: (id) => void remove.run(id),
    saveVersion: (skill, { language, code, sha256 }) =>
      connection.transaction(() => {
        const [newest] = listVersions(skill.id);
        const isSame = newest?.sourceCode === code && newest.language === language;
        // Something else may have changed the rows; then they are written again.
        if (isSame && newest.sourceCodeHash === sha256 && isWhole(skill, code, sha256))
          return newest;
        put(skill, '', false);
        setSource.run(code, sha256, skill.id);
        const version = (newest?.version ?? 0) + 1;
        putVersion.run(skill.id, version, language, code, sha256, clock.now());
        const [saved] = listVersions(skill.id);
        if (saved === undefined)
          throw new Error(`Version ${version} of ${skill.id} was not stored`);
        return saved;
      }),
    newestVersions: () =>
      newestVersions.all().map((row) => ({
        ...{ skillId: row.skill_id, version: row.version, approvedAt: row.approved_at },
      })),
    sourceOf: (id) => source.get(id)?.source_code ?? null,
    versions: listVersions,
    approveVersion: (skillId, { version, granted }) =>
      void approve.run(clock.now(), JSON.stringify(granted), skillId, version),
    frontMatters: () =>
      new Map(
        matters
          .all()
          .map(({ folder, stamp, found }) => [folder, { stamp, found: JSON.parse(found) }]),
      ),
    rememberMatters: (fresh) =>
      connection.transaction(() => {
        for (const [folder, { stamp, found }] of fresh) {
          putMatter.run(folder, stamp, JSON.stringify(found));
        }
      }),
    approval: (folder) => {
      const row = approval.get(folder);
      return row === undefined ? null : { sha256: row.sha256, approvedAt: row.approved_at };
    },
    approvedFiles: (folder) => files.all(folder),
    approveFiles: (folder, sha256, approved) =>
      connection.transaction(() => {
        clearFiles.run(folder);
        for (const file of approved) putFile.run(folder, file.path, file.sha256, file.content);
        putApproval.run(folder, sha256, clock.now());
      }),
  };
}

export function openSkillSessions(connection: Connection, clock: Clock): SkillSessionStore {
  const list = connection.sql<{ state: string }>(
    'SELECT state FROM skill_walks WHERE thread_id = ? ORDER BY updated_at DESC, skill',
  );
  const one = connection.sql<{ state: string }>(
    'SELECT state FROM skill_walks WHERE thread_id = ? AND skill = ?',
  );
  const put = connection.sql(
    `INSERT INTO skill_walks (thread_id, skill, updated_at, state) VALUES (?, ?, ?, ?)
     ON CONFLICT (thread_id, skill) DO UPDATE SET updated_at = excluded.updated_at,
       state = excluded.state`,
  );
  const logged = connection.sql<{ run_id: string; walk: string }>(
    `SELECT run_id, json_extract(body, '$.walk') AS walk FROM runs
     JOIN events ON events.run_id = runs.id
     WHERE runs.thread_id = ? AND events.type = 'skill_walk'
     ORDER BY runs.created_at, runs.id, events.seq`,
  );
  return {
    logged: (threadId) =>
      logged.all(threadId).map(({ run_id, walk }) => ({ runId: run_id, walk: JSON.parse(walk) })),
    list: (threadId) => list.all(threadId).map(({ state }) => JSON.parse(state)),
    find: (threadId, skill) => {
      const row = one.get(threadId, skill);
      return row === undefined ? null : JSON.parse(row.state);
    },
    put: (threadId, skill, state) =>
      void put.run(threadId, skill, clock.now(), JSON.stringify(state)),
  };
}

function toDefinition(row: DefinitionRow): SkillDefinition {
  return {
    id: row.id,
    name: row.name,
    version: row.version,
    description: row.description,
    category: row.category,
    author: row.author,
    metadataJson: row.metadata_json,
    modulePath: row.module_path,
    sourceCodeHash: row.source_code_hash,
    enabled: row.enabled === 1,
    isBuiltin: row.is_builtin === 1,
    invocationCount: row.invocation_count,
    lastInvokedAt: row.last_invoked_at,
  };
}

function toVersion(row: VersionRow): StoredSkillVersion {
  return {
    version: row.version,
    language: row.language,
    sourceCode: row.source_code,
    sourceCodeHash: row.source_code_hash,
    createdAt: row.created_at,
    approvedAt: row.approved_at,
    granted: readGranted(row.granted),
  };
}

/** Empty if the stored value is not a list of strings. */
function readGranted(json: string): string[] {
  try {
    const granted: unknown = JSON.parse(json);
    return Array.isArray(granted) ? granted.filter((one) => typeof one === 'string') : [];
  } catch {
    // Not JSON: it grants nothing.
    return [];
  }
}
