import type { RequestInput, RequestName, RequestOutput } from '#contract/requests.ts';
import type { SkillDetail, SkillSummary } from '#contract/skills.ts';

type SkillRequest = Extract<RequestName, `skills.${string}`>;
type SkillHandlers = {
  [Name in SkillRequest]: (
    input: RequestInput<Name>,
  ) => RequestOutput<Name> | Promise<RequestOutput<Name>>;
};

export function skillSummary(more: Partial<SkillSummary> = {}): SkillSummary {
  return {
    ...{ id: 'web_research', name: 'Web Research', version: '1.0.0', category: 'research' },
    ...{ description: 'Searches and sums up.', source: 'builtin', folder: null },
    ...{ author: 'hyperagent', tags: [], risk: 'low', state: 'ready', problem: null },
    ...{ invocationCount: 0, lastInvokedAt: null },
    ...more,
  };
}

/** Skills of a window without a main process: one, and nothing that can be changed. */
export function fakeSkills(): SkillHandlers {
  const skill: SkillDetail = {
    ...{ summary: skillSummary(), metadata: null, granted: [], code: null },
    ...{ markdown: null, findings: [] },
  };
  return {
    'skills.list': () => ({ skills: [skill.summary] }),
    'skills.get': () => ({ skill }),
    'skills.setEnabled': () => ({ skill: skill.summary }),
    'skills.executions': () => ({ executions: [] }),
    'skills.check': () => ({ metadata: null, findings: [] }),
    'skills.save': () => ({ skill }),
    'skills.versions': () => ({ versions: [] }),
    'skills.review': () => ({
      review: {
        ...{ skillId: skill.summary.id, name: skill.summary.name, source: 'dynamic' },
        ...{ sha256: '0'.repeat(64), files: [], capabilities: { before: [], after: [] } },
        ...{ requiredTools: [], findings: [], mayApprove: true },
      },
    }),
    'skills.approve': () => ({ skill }),
    'skills.remove': () => ({}),
    'skills.export': () => ({ fileName: 'skill.json', text: '{}' }),
    'skills.import': () => ({ skill }),
    'skills.templates': () => ({ templates: [], types: '' }),
    'skills.refresh': () => ({}),
  };
}
