import type { AppServices, RequestHandlers } from '../types.ts';

type SkillHandlers = Pick<RequestHandlers, Extract<keyof RequestHandlers, `skills.${string}`>>;

export function skillHandlers({ skills }: AppServices): SkillHandlers {
  return {
    'skills.list': (filter) => ({ skills: skills.list(filter) }),
    'skills.get': async ({ skillId }) => ({ skill: await skills.get(skillId) }),
    'skills.setEnabled': ({ skillId, enabled }) => ({ skill: skills.setEnabled(skillId, enabled) }),
    'skills.executions': (filter) => ({ executions: skills.executions(filter) }),
    'skills.check': (input) => skills.check(input),
    'skills.save': async (input) => ({ skill: await skills.save(input) }),
    'skills.versions': ({ skillId }) => ({ versions: skills.versions(skillId) }),
    'skills.review': async ({ skillId }) => ({ review: await skills.review(skillId) }),
    'skills.approve': async (input) => ({ skill: await skills.approve(input) }),
    'skills.remove': ({ skillId }) => {
      skills.remove(skillId);
      return {};
    },
    'skills.export': ({ skillId }) => skills.exportFile(skillId),
    'skills.import': async ({ text }) => ({ skill: await skills.importFile(text) }),
    'skills.templates': () => skills.templates(),
    'skills.refresh': () => {
      skills.refresh();
      return {};
    },
  };
}
