import type { DirectedReply, DirectedRequest } from './directed-model.ts';

type Call = NonNullable<DirectedReply['calls']>[number];

export const load = (name = 'tea-maker'): Call => ({ name: 'load_skill', arguments: { name } });
export const read = (path: string, skill?: string): Call => ({
  name: 'read_file',
  arguments: skill === undefined ? { path } : { path, skill },
});
export const ask = (checkpoint: string): Call => ({
  name: 'request_human_approval',
  arguments: { checkpoint, summary: `About ${checkpoint}?` },
});
export const complete = (step: number, skill = 'tea-maker'): Call => ({
  name: 'complete_skill_step',
  arguments: { skill, step, summary: `Step ${step}` },
});
export const listFiles: Call = {
  name: 'sandbox_file',
  arguments: { operation: 'list', path: '.' },
};

const PLACE = '[State of the skill';

/** What the model is told of its place at the end of a request; null where it is told nothing. */
export function placeIn({ messages }: DirectedRequest): string | null {
  const last = messages.at(-1)?.content ?? '';
  return last.startsWith(PLACE) ? last : null;
}

/** A turn of a model that makes these calls, an answer a round, and then says this. */
export interface Walk {
  /** What the person's turn holds. */
  readonly when: string;
  readonly rounds: readonly (readonly Call[])[];
  readonly answer: string;
}

/** A model that steps through a skill by the last turn of the conversation, whatever it is told of its place. */
export function steppingModel(
  sessions: readonly Walk[],
): (request: DirectedRequest) => DirectedReply {
  return (request) => {
    const messages = request.messages.filter(({ content = '' }) => !content.startsWith(PLACE));
    const at = messages.findLastIndex(({ role }) => role === 'user');
    const turn = messages[at]?.content ?? '';
    const walk = sessions.find(({ when }) => turn.includes(when));
    if (walk === undefined) return { content: 'There is nothing to do.' };
    const answered = messages.slice(at + 1).filter(({ role }) => role === 'assistant').length;
    const calls = walk.rounds[answered];
    return calls === undefined ? { content: walk.answer } : { content: '', calls };
  };
}
