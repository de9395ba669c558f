import { formatCount } from '../format.ts';
import { inLanguage } from '../language.ts';

/** Skills in the conversation: one that runs, and the steps of a Markdown skill. */
export const skillCardStrings = inLanguage('skillCardStrings', {
  card: {
    invoked: 'Skill',
    readingResult: 'Loading the result',
    stages: 'Skill stages',
    stageStates: { running: 'running', completed: 'done', failed: 'failed', stopped: 'stopped' },
    calls: (count: number) => `${formatCount(count)} ${count === 1 ? 'call' : 'calls'}`,
    earlierCalls: (count: number) => `${formatCount(count)} earlier calls are in the run log`,
    earlierStages: (count: number) => `${formatCount(count)} earlier stages are in the run log`,
    params: 'Parameters',
    fields: 'Result fields',
  },
  walk: {
    title: 'Skill with steps',
    states: { active: 'in progress', completed: 'all steps done', cancelled: 'stopped' },
    progress: (done: number, all: number) => `${done} of ${all} steps`,
    steps: 'Steps',
    done: 'done',
    pending: 'pending',
    current: 'current',
    read: (file: string) => `${file} read`,
    notRead: (file: string) => `${file} not read yet`,
    answered: (name: string) => `${name} answered`,
    notAnswered: (name: string) => `${name} needs your answer`,
    heard: 'you answered',
    notHeard: 'needs your answer',
    refusals: 'Refused',
  },
});
