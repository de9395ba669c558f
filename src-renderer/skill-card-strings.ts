import { formatCount } from './format.ts';

/** Words of skills in the conversation: of one at work, and of the steps of a Markdown skill. */
export const skillCardStrings = {
  card: {
    invoked: 'Skill',
    readingResult: 'Reading the result',
    stages: 'Stages of the skill',
    stageStates: { running: 'at work', completed: 'done', failed: 'failed', stopped: 'stopped' },
    calls: (count: number) => `${formatCount(count)} ${count === 1 ? 'call' : 'calls'}`,
    earlierCalls: (count: number) =>
      `${formatCount(count)} earlier calls are in the log of the run`,
    earlierStages: (count: number) =>
      `${formatCount(count)} earlier stages are in the log of the run`,
    params: 'Parameters',
    fields: 'The result, field by field',
  },
  walk: {
    title: 'Skill with steps',
    states: { active: 'under way', completed: 'all steps done', cancelled: 'stopped' },
    progress: (done: number, all: number) => `${done} of ${all} steps`,
    steps: 'Steps',
    done: 'done',
    pending: 'not yet',
    current: 'now',
    read: (file: string) => `${file} read`,
    notRead: (file: string) => `${file} to be read`,
    answered: (name: string) => `${name} answered`,
    notAnswered: (name: string) => `${name} waits for you`,
    heard: 'you answered',
    notHeard: 'needs your answer',
    refusals: 'Refused',
  },
} as const;
