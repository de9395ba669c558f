import { AppError } from '#contract/errors.ts';
import { skillRequests } from '#main/api/skills.ts';
import { BuiltinCatalogue } from '#main/skills/builtin-catalogue.ts';
import type { MarkdownSkills } from '#main/skills/catalogue-types.ts';
import { SkillRegistry } from '#main/skills/skill-registry.ts';
import type { DataStores } from '#main/storage/open-stores.ts';
import { SAMPLE_SKILLS } from './builtin-samples.ts';
import { storedSkills } from './stored-skills.ts';

const unknown = (): never => {
  throw new AppError('SKILL_UNKNOWN', 'There are no Markdown skills in this test.');
};
export const NO_MARKDOWN_SKILLS: MarkdownSkills = {
  ...{ source: 'markdown', list: () => [], load: unknown, refresh: () => undefined },
  ...{ describe: unknown, review: unknown, approve: unknown, importFiles: unknown },
};

/** The real API and registry over a real data folder, with skills that are looked at and never run. */
export function skillsOver(
  stores: Pick<DataStores, 'skills' | 'skillExecutions'>,
  {
    markdown = NO_MARKDOWN_SKILLS,
    onChange = () => undefined,
    readOnly = false,
  }: {
    readonly markdown?: MarkdownSkills;
    readonly onChange?: () => void;
    readonly readOnly?: boolean;
  } = {},
): {
  readonly requests: ReturnType<typeof skillRequests>;
  readonly registry: SkillRegistry;
} {
  const dynamic = storedSkills(stores.skills);
  const registry = new SkillRegistry({
    store: stores.skills,
    catalogues: [new BuiltinCatalogue(SAMPLE_SKILLS), dynamic, markdown],
    toolRisk: () => 'low',
  });
  if (!readOnly) registry.syncBuiltins();
  const executions = stores.skillExecutions;
  const requests = skillRequests({ ...{ registry, executions, dynamic, markdown, onChange } });
  return { requests, registry };
}
