import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, it } from 'vitest';
import type { WaitingQuestion } from '#contract/events/hitl.ts';
import { silentLogger } from '#main/base/logger.ts';
import { RequestRouter } from '#main/transport/request-router.ts';
import { answerQuestions } from '#main/web/questions-api.ts';
import { createFakeApp } from '../../fakes/app/fake-app.ts';

const QUESTION: WaitingQuestion = {
  ...{ runId: 'r', threadId: 't', threadTitle: 'Tidy up', askedAt: 1, interruptId: 'q' },
  ...{ kind: 'approval', title: 'Run a command?', message: '', reasons: [], options: [] },
  ...{ attentionMs: 1, toolCallId: 'c', toolName: 'shell_command', risk: 'high' },
};

it.each([
  ['You chose to be asked every time.', { why: 'You chose to be asked every time.' }],
  [null, {}],
])('says why a question is asked: %s', async (why, given) => {
  const app = createFakeApp({ dataDir: '', entryPoint: 'browser', attended: true });
  const waiting = () => ({ questions: [{ ...QUESTION, ...given }] });
  const router = new RequestRouter({ ...app.api, 'runs.waiting': waiting }, silentLogger);
  const request = new IncomingMessage(new Socket());
  const all = await answerQuestions(request, { path: [], query: '' }, router);
  expect(all.body).toMatchObject({ count: 1, questions: [{ id: 'q', why }] });
  const one = await answerQuestions(request, { path: ['q'], query: '' }, router);
  expect(one.body).toMatchObject({ id: 'q', why });
});
