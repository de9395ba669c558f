import { createHash } from 'node:crypto';
import { AppError } from '#contract/errors.ts';
import {
  SkillCapability,
  type SkillFinding,
  SkillLanguage,
  SkillMetadata,
} from '#contract/skills.ts';
import type { DynamicSkills } from '#main/skills/catalogue-types.ts';
import type { SkillStore, StoredSkillVersion } from '#main/storage/skill-types.ts';

/** Skills whose sources are in the real database, and say nothing but their metadata, as JSON. */
export function storedSkills(store: SkillStore): DynamicSkills {
  const read = (source: string): SkillMetadata => {
    try {
      return SkillMetadata.parse(JSON.parse(source));
    } catch (cause) {
      throw new AppError('SKILL_CODE_INVALID', 'The source says nothing of itself.', { cause });
    }
  };
  const newest = (id: string): StoredSkillVersion => {
    const [version] = store.versions(id);
    if (version === undefined) throw new AppError('SKILL_UNKNOWN', `There is no skill ${id}.`);
    return version;
  };
  const save = async (language: SkillLanguage, source: string): Promise<string> => {
    const metadata = read(source);
    const { id, name, version, description, category, author } = metadata;
    const sha256 = createHash('sha256').update(source).digest('hex');
    store.saveVersion(
      { id, name, version, description, category, author, metadataJson: JSON.stringify(metadata) },
      { language, code: source, sha256 },
    );
    return id;
  };
  return {
    source: 'dynamic',
    list: () =>
      store
        .definitions()
        .filter(({ isBuiltin, modulePath }) => !isBuiltin && modulePath === '')
        .map((row) => {
          const metadata = SkillMetadata.parse(JSON.parse(row.metadataJson));
          const isApproved = newest(row.id).approvedAt !== null;
          const { id, name, version, description, category, author, tags } = metadata;
          return {
            ...{ id, name, version, description, category, author, tags, metadata },
            ...{ folder: null, problem: null, allowedTools: null },
            state: isApproved ? ('ready' as const) : ('needs_review' as const),
          };
        }),
    load: async () => {
      throw new Error('This test runs no skill');
    },
    check: async (_language, source) => ({ metadata: read(source), findings: [] }),
    save,
    describe: (id) => {
      const { version, language, sourceCode, sourceCodeHash, granted } = newest(id);
      return {
        granted: SkillCapability.array().parse(granted),
        code: {
          ...{ language: SkillLanguage.parse(language), source: sourceCode },
          ...{ version, sha256: sourceCodeHash },
        },
        findings: [],
      };
    },
    versions: () => [],
    review: async (id) => {
      const [now, ...earlier] = [newest(id), ...store.versions(id).slice(1)];
      const approved = earlier.find(({ approvedAt }) => approvedAt !== null);
      const metadata = read(now.sourceCode);
      const finding: SkillFinding = {
        ...{ severity: 'warning', rule: 'asks_for_much', file: 'skill.ts', line: 3 },
        message: 'It asks for the sandbox\u202e.',
      };
      return {
        ...{ skillId: id, name: metadata.name, source: 'dynamic', sha256: now.sourceCodeHash },
        files: [
          {
            ...{ path: 'skill.ts', isBinary: false },
            before: approved?.sourceCode ?? null,
            after: now.sourceCode,
          },
        ],
        capabilities: {
          before: SkillCapability.array().parse(approved?.granted ?? []),
          after: metadata.capabilities,
        },
        requiredTools: metadata.requiredTools,
        findings: [finding],
        mayApprove: true,
      };
    },
    approve: async (id, { sha256, capabilities }) => {
      const { version, sourceCodeHash } = newest(id);
      if (sha256 !== sourceCodeHash) {
        throw new AppError('CONFLICT', 'The skill is not what you were shown. Review it again.');
      }
      store.approveVersion(id, { version, granted: capabilities });
    },
    remove: (id) => store.remove(id),
    exportFile: (id) => ({ fileName: `${id}.skill.json`, text: newest(id).sourceCode }),
    importFile: (text) => save('typescript', text),
    templates: () => ({ templates: [], types: '' }),
  };
}
