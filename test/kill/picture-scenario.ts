import { createHash } from 'node:crypto';
import {
  type DirectedReply,
  type DirectedRequest,
  startDirectedModel,
} from '../fakes/directed-model.ts';
import { pngOf } from '../fakes/png.ts';
import type { KillScenario } from './scenario.ts';

const leave = (mark: string) => ({
  name: 'execute_code',
  arguments: { language: 'bash', code: `echo ${mark} >> effects.log` },
});
const ROUNDS: readonly NonNullable<DirectedReply['calls']>[] = [
  [leave('p1'), { name: 'sandbox_file', arguments: { operation: 'read', path: 'photo.png' } }],
  [{ name: 'analyze_image', arguments: { path: 'photo.png', question: 'What is it?' } }],
  [{ name: 'ask_user', arguments: { question: 'Go on?' } }],
  [leave('p2')],
];

/** What a request shows, as the model sees it: the answer says it, so that a lost or changed picture is noticed. */
function seen({ messages }: DirectedRequest): string {
  const images = messages.flatMap(({ images: sent = [] }) => sent);
  const hash = createHash('sha256').update(images.join(' ')).digest('hex').slice(0, 12);
  return `${images.length} pictures, ${hash}`;
}

/** A run with a picture of the user, one in a result, a question about one, and a pause for the user. */
export const PICTURE_SCENARIO: KillScenario = {
  prompt: 'Describe the photo.',
  answer: null,
  marks: ['p1', 'p2'],
  files: {
    'photo.png': pngOf(1_500, 900, (x) => [x < 600 ? 200 : 20, 40, 90]).toString('base64'),
  },
  serve: () =>
    startDirectedModel(
      (request) => {
        if (request.system.startsWith('You look at')) return { content: `I see ${seen(request)}.` };
        const rounds = request.messages.filter(({ role }) => role === 'assistant').length;
        const calls = ROUNDS[rounds];
        return calls === undefined ? { content: `In all: ${seen(request)}.` } : { calls };
      },
      [{ name: 'x', capabilities: ['completion', 'tools', 'vision'] }],
    ),
};
