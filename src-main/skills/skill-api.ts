import { AppError } from '#contract/errors.ts';
import type { RequestInput, RequestName, RequestOutput } from '#contract/requests.ts';
import type { SkillDetail, SkillReview } from '#contract/skills.ts';
import type { SkillExecutionStore } from '../storage/skill-types.ts';
import type { DynamicSkills, MarkdownSkills } from './catalogue-types.ts';
import type { SkillRegistry } from './skill-registry.ts';

type SkillRequest = Extract<RequestName, `skills.${string}`>;
type Input<Name extends string> = RequestInput<Extract<SkillRequest, `skills.${Name}`>>;
type Output<Name extends string> = RequestOutput<Extract<SkillRequest, `skills.${Name}`>>;

/** The user's view of skills: list, inspect, edit, review and approve. Unknown ids throw `SKILL_UNKNOWN`. */
export interface SkillApi {
  list(filter: Input<'list'>): Output<'list'>['skills'];
  get(skillId: string): Promise<SkillDetail>;
  setEnabled(skillId: string, enabled: boolean): Output<'setEnabled'>['skill'];
  executions(filter: Input<'executions'>): Output<'executions'>['executions'];
  check(input: Input<'check'>): Promise<Output<'check'>>;
  save(input: Input<'save'>): Promise<SkillDetail>;
  versions(skillId: string): Output<'versions'>['versions'];
  review(skillId: string): Promise<SkillReview>;
  approve(input: Input<'approve'>): Promise<SkillDetail>;
  remove(skillId: string): void;
  exportFile(skillId: string): Output<'export'>;
  importFile(text: string): Promise<SkillDetail>;
  templates(): Output<'templates'>;
  refresh(): void;
}

export interface SkillApiParts {
  readonly registry: SkillRegistry;
  readonly executions: SkillExecutionStore;
  readonly dynamic: DynamicSkills;
  readonly markdown: MarkdownSkills;
  readonly onChange: () => void;
}

const DEFAULT_EXECUTIONS = 50;

export function createSkillApi(parts: SkillApiParts): SkillApi {
  const { registry, executions, dynamic, markdown } = parts;
  const changed = (): void => {
    registry.changed();
    parts.onChange();
  };
  const dynamicOnly = (skillId: string): string => {
    const { id, source } = registry.summary(skillId);
    if (source === 'dynamic') return id;
    throw new AppError('BAD_REQUEST', `${id} is not a skill with editable source.`);
  };
  const get = async (skillId: string): Promise<SkillDetail> => {
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
  const review = async (skillId: string): Promise<SkillReview> => {
    const { id, source } = registry.summary(skillId);
    if (source === 'builtin') {
      throw new AppError('BAD_REQUEST', `${id} comes with the app and needs no review.`);
    }
    return await (source === 'dynamic' ? dynamic : markdown).review(id);
  };
  return {
    list: (filter) => registry.list(filter),
    get,
    setEnabled: (skillId, enabled) => {
      const summary = registry.setEnabled(skillId, enabled);
      parts.onChange();
      return summary;
    },
    executions: ({ skillId, limit = DEFAULT_EXECUTIONS }) =>
      executions.list({ limit, ...(skillId === undefined ? {} : { skillId }) }),
    check: ({ language, source }) => dynamic.check(language, source),
    save: async ({ language, source, base }) => {
      const id = await dynamic.save(language, source, { base });
      changed();
      return await get(id);
    },
    versions: (skillId) => dynamic.versions(dynamicOnly(skillId)),
    review,
    approve: async ({ skillId, sha256, capabilities }) => {
      const { id, source } = registry.summary(skillId);
      if (source === 'markdown') await markdown.approve(id, sha256);
      else await dynamic.approve(dynamicOnly(id), { sha256, capabilities });
      changed();
      return await get(id);
    },
    remove: (skillId) => {
      dynamic.remove(dynamicOnly(skillId));
      changed();
    },
    exportFile: (skillId) => dynamic.exportFile(dynamicOnly(skillId)),
    importFile: async (text) => {
      const id = await dynamic.importFile(text);
      changed();
      return await get(id);
    },
    templates: () => dynamic.templates(),
    refresh: () => {
      markdown.refresh();
      changed();
    },
  };
}
