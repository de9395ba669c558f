import type { PushMessage, RequestInput, RequestName, RequestOutput } from '#contract/requests.ts';
import type {
  SkillDetail,
  SkillExecution,
  SkillFinding,
  SkillReview,
  SkillVersion,
} from '#contract/skills.ts';
import { Refusal } from './refusal.ts';
import {
  CSV_TOTALS,
  reviewSamples,
  SKILL_TYPES,
  skillSamples,
  skillSummary,
} from './skill-samples.ts';

type SkillRequest = Extract<RequestName, `skills.${string}`>;
type SkillHandlers = {
  readonly [Name in SkillRequest]: (
    input: RequestInput<Name>,
  ) => RequestOutput<Name> | Promise<RequestOutput<Name>>;
};

const SHA = (text: string): string => text.length.toString(16).padStart(64, '0');

/** Skills of a window without a main process. It refuses what main refuses: other bytes, errors, no id. */
export class FakeSkills {
  details: SkillDetail[];
  executions: SkillExecution[] = [];
  readonly reviews: Map<string, SkillReview> = reviewSamples();
  readonly versions = new Map<string, SkillVersion[]>();
  readonly #push: (message: PushMessage) => void;

  constructor(push: (message: PushMessage) => void, now: number) {
    this.#push = push;
    this.details = skillSamples(now);
    const version = { language: 'typescript', sha256: SHA(CSV_TOTALS), createdAt: now } as const;
    this.versions.set('csv_totals', [
      { ...version, version: 2, source: CSV_TOTALS, approvedAt: now },
      { ...version, version: 1, source: `// The first one.\n${CSV_TOTALS}`, approvedAt: null },
    ]);
  }

  /** Adds skills until there are `count`. */
  fill(count: number): void {
    for (let n = this.details.length; n < count; n += 1) {
      const summary = skillSummary({
        ...{ id: `skill_${n}`, name: `Skill number ${n}`, source: 'dynamic' },
        description: `Does the job with the number ${n}, and nothing else.`,
        ...{ category: n % 2 === 0 ? 'automation' : 'code', invocationCount: n % 7 },
      });
      this.details.push({
        ...{ summary, metadata: null, granted: [], code: null, markdown: null, findings: [] },
      });
    }
  }

  /** Another program changes what waits for a review. */
  tamper(skillId: string, after: string): void {
    const review = this.reviews.get(skillId);
    const file = review?.files[0];
    if (review === undefined || file === undefined) throw new Error(`no review of ${skillId}`);
    const files = [{ ...file, after }, ...review.files.slice(1)];
    this.reviews.set(skillId, { ...review, files, sha256: SHA(after) });
  }

  #get(skillId: string): SkillDetail {
    const found = this.details.find(({ summary }) => summary.id === skillId);
    if (found === undefined) throw new Refusal('NOT_FOUND', 'There is no such skill.');
    return found;
  }

  #put(skill: SkillDetail): SkillDetail {
    const { id } = skill.summary;
    this.details = [...this.details.filter(({ summary }) => summary.id !== id), skill].sort(
      (a, b) => a.summary.name.localeCompare(b.summary.name),
    );
    this.#push({ kind: 'skills_changed' });
    return skill;
  }

  #save({ source, language, base }: RequestInput<'skills.save'>): SkillDetail {
    const id = /\bid:\s*'([a-z][a-z0-9_-]*)'/.exec(source)?.[1];
    if (id === undefined) throw new Refusal('SKILL_CODE_INVALID', 'The metadata names no id.');
    const name = /\bname:\s*'([^']+)'/.exec(source)?.[1] ?? id;
    const before = this.versions.get(id) ?? [];
    const newest = before[0]?.sha256;
    if (newest !== undefined && base !== undefined && newest !== base && newest !== SHA(source)) {
      throw new Refusal('CONFLICT', `The skill ${id} was changed elsewhere.`, { newest });
    }
    const version = (before[0]?.version ?? 0) + 1;
    const saved = { version, language, source, sha256: SHA(source) };
    this.versions.set(id, [{ ...saved, createdAt: Date.now(), approvedAt: null }, ...before]);
    this.reviews.set(id, {
      ...{ skillId: id, name, source: 'dynamic', sha256: SHA(source), requiredTools: [] },
      files: [
        { path: `${id}.ts`, before: before[0]?.source ?? null, after: source, isBinary: false },
      ],
      capabilities: { before: [], after: source.includes('sandbox') ? ['sandbox'] : [] },
      ...{ findings: [], mayApprove: true },
    });
    const known = this.details.find(({ summary }) => summary.id === id);
    const summary = { ...(known?.summary ?? skillSummary({ id, name, source: 'dynamic' })) };
    return this.#put({
      ...(known ?? { metadata: null, granted: [], markdown: null, findings: [] }),
      summary: { ...summary, state: 'needs_review' },
      code: saved,
    });
  }

  #approve({ skillId, sha256, capabilities }: RequestInput<'skills.approve'>): SkillDetail {
    const review = this.reviews.get(skillId);
    if (review?.mayApprove === false)
      throw new Refusal('BAD_REQUEST', 'An error stands in the way.');
    if (review?.sha256 !== sha256) throw new Refusal('CONFLICT', 'The skill was changed.');
    const skill = this.#get(skillId);
    return this.#put({
      ...skill,
      summary: { ...skill.summary, state: 'ready' },
      granted: capabilities,
    });
  }

  readonly handlers: SkillHandlers = {
    'skills.list': () => ({ skills: this.details.map(({ summary }) => summary) }),
    'skills.get': ({ skillId }) => ({ skill: this.#get(skillId) }),
    'skills.setEnabled': ({ skillId, enabled }) => {
      const skill = this.#get(skillId);
      const state = enabled ? ('ready' as const) : ('disabled' as const);
      return { skill: this.#put({ ...skill, summary: { ...skill.summary, state } }).summary };
    },
    'skills.executions': ({ skillId, limit = 50 }) => ({
      executions: this.executions
        .filter((one) => skillId === undefined || one.skillId === skillId)
        .slice(0, limit),
    }),
    'skills.check': ({ source }) => ({ metadata: null, findings: findIn(source) }),
    'skills.save': (input) => ({ skill: this.#save(input) }),
    'skills.versions': ({ skillId }) => ({ versions: this.versions.get(skillId) ?? [] }),
    'skills.review': ({ skillId }) => {
      const review = this.reviews.get(skillId);
      if (review === undefined) throw new Refusal('NOT_FOUND', 'There is nothing to review.');
      return { review };
    },
    'skills.approve': (input) => ({ skill: this.#approve(input) }),
    'skills.remove': ({ skillId }) => {
      this.#get(skillId);
      this.details = this.details.filter(({ summary }) => summary.id !== skillId);
      this.#push({ kind: 'skills_changed' });
      return {};
    },
    'skills.export': ({ skillId }) => ({
      fileName: `${skillId}.skill.json`,
      text: JSON.stringify({ id: skillId, source: this.#get(skillId).code?.source ?? '' }),
    }),
    'skills.import': ({ text = '', files = [] }) => {
      const [main] = files;
      if (main !== undefined) {
        const source = atob(main.data);
        if (!main.path.endsWith('SKILL.md'))
          throw new Refusal('BAD_REQUEST', 'There is no SKILL.md.');
        return { skill: this.#save({ language: 'typescript', source }) };
      }
      if (!text.startsWith('{')) throw new Refusal('BAD_REQUEST', 'This is not a skill file.');
      const { source } = JSON.parse(text) as { source: string };
      return { skill: this.#save({ language: 'typescript', source }) };
    },
    'skills.templates': () => ({
      templates: [
        {
          ...{ id: 'empty', name: 'Empty', description: 'The least there is.' },
          ...{ language: 'typescript', source: EMPTY_TEMPLATE },
        },
        {
          ...{ id: 'totals', name: 'Totals', description: 'Reads a file.' },
          ...{ language: 'typescript', source: CSV_TOTALS },
        },
      ],
      types: SKILL_TYPES,
    }),
    'skills.refresh': () => ({}),
  };
}

const EMPTY_TEMPLATE = `export const metadata = {
  id: 'my_skill',
  name: 'My Skill',
  description: 'What it does, in a sentence.',
  category: 'automation',
};

export async function run(params, app) {
  return {};
}
`;

/** What main would find: foreign imports are errors, timers warnings. */
function findIn(source: string): SkillFinding[] {
  return source.split('\n').flatMap((text, index): SkillFinding[] => {
    const place = { file: null, line: index + 1 };
    if (/from '(?!hyperagent')/.test(text)) {
      const message = 'Only the module hyperagent may be imported.';
      return [{ severity: 'error', rule: 'foreign_import', ...place, message }];
    }
    if (!text.includes('setTimeout')) return [];
    return [{ severity: 'warning', rule: 'timer', ...place, message: 'There are no timers here.' }];
  });
}
