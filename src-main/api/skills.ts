import { defined } from '#contract/defined.ts';
import { AppError } from '#contract/errors.ts';
import type { SkillDetail } from '#contract/skills.ts';
import type { DynamicSkills, MarkdownSkills } from '../skills/catalogue-types.ts';
import { SKILL_FILE } from '../skills/markdown/limits.ts';
import type { SkillRegistry } from '../skills/skill-registry.ts';
import type { SkillExecutionStore } from '../storage/skill-types.ts';
import type { Requests } from './types.ts';

export interface SkillRequestParts {
  readonly registry: SkillRegistry;
  readonly executions: SkillExecutionStore;
  readonly dynamic: DynamicSkills;
  readonly markdown: MarkdownSkills;
  readonly onChange: () => void;
}

const DEFAULT_EXECUTIONS = 50;

/** Requests about skills: list, inspect, edit, review and approve. Unknown ids throw `SKILL_UNKNOWN`. */
export function skillRequests(parts: SkillRequestParts) {
  const { registry, executions, dynamic, markdown } = parts;
  const notify = (): void => {
    registry.changed();
    parts.onChange();
  };
  const dynamicOnly = (skillId: string): string => {
    const { id, source } = registry.summary(skillId);
    if (source === 'dynamic') return id;
    throw new AppError('BAD_REQUEST', `${id} is not a skill with editable source.`);
  };
  const detail = async (skillId: string): Promise<SkillDetail> => {
    const summary = registry.summary(skillId);
    const { id, source } = summary;
    const metadata = registry.find(id)?.metadata ?? null;
    const plain = { summary, metadata, granted: [], code: null, markdown: null, findings: [] };
    switch (source) {
      case 'builtin':
        return { ...plain, granted: metadata?.capabilities ?? [] };
      case 'dynamic':
        return { ...plain, ...dynamic.describe(id) };
      case 'markdown':
        return { ...plain, ...(await markdown.describe(id)) };
    }
  };
  const changed = async (skillId: string): Promise<{ skill: SkillDetail }> => {
    notify();
    return { skill: await detail(skillId) };
  };
  return {
    'skills.list': (filter) => ({ skills: registry.list(filter) }),
    'skills.get': async ({ skillId }) => ({ skill: await detail(skillId) }),
    'skills.setEnabled': ({ skillId, enabled }) => {
      const skill = registry.setEnabled(skillId, enabled);
      parts.onChange();
      return { skill };
    },
    'skills.executions': ({ executionId, skillId, limit = DEFAULT_EXECUTIONS }) => {
      if (executionId === undefined)
        return { executions: executions.list(defined({ limit, skillId })) };
      const found = executions.find(executionId);
      return { executions: found === null ? [] : [found] };
    },
    'skills.check': ({ language, source }) => dynamic.check(language, source),
    'skills.save': async ({ language, source, base }) =>
      changed(await dynamic.save(language, source, { base })),
    'skills.versions': ({ skillId }) => ({ versions: dynamic.versions(dynamicOnly(skillId)) }),
    'skills.review': async ({ skillId }) => {
      const { id, source } = registry.summary(skillId);
      if (source === 'builtin') {
        throw new AppError('BAD_REQUEST', `${id} comes with the app and needs no review.`);
      }
      return { review: await (source === 'dynamic' ? dynamic : markdown).review(id) };
    },
    'skills.approve': async ({ skillId, sha256, capabilities }) => {
      const { id, source } = registry.summary(skillId);
      if (source === 'markdown') await markdown.approve(id, sha256);
      else await dynamic.approve(dynamicOnly(id), { sha256, capabilities });
      return changed(id);
    },
    'skills.remove': ({ skillId }) => {
      dynamic.remove(dynamicOnly(skillId));
      notify();
      return {};
    },
    'skills.export': ({ skillId }) => dynamic.exportFile(dynamicOnly(skillId)),
    'skills.import': async ({ text, files }) => {
      if ((text === undefined) === (files === undefined)) {
        throw new AppError('BAD_REQUEST', 'Import either a text or files.');
      }
      if (files !== undefined) {
        const read = files.map(({ path, data }) => ({ path, bytes: Buffer.from(data, 'base64') }));
        return changed(await markdown.importFiles(read));
      }
      const given = text ?? '';
      // A file that is exported is JSON; front matter never is.
      if (!/^\uFEFF?---[ \t]*\r?\n/.test(given)) return changed(await dynamic.importFile(given));
      const bytes = Buffer.from(given.replace(/^\uFEFF/, ''));
      return changed(await markdown.importFiles([{ path: SKILL_FILE, bytes }]));
    },
    'skills.templates': () => dynamic.templates(),
    'skills.refresh': () => {
      markdown.refresh();
      notify();
      return {};
    },
  } satisfies Requests<'skills'>;
}
