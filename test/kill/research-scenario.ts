import { type DirectedRequest, startDirectedModel } from '../fakes/directed-model.ts';
import { startFixtureWeb } from '../fakes/fixture-web/server.ts';
import { researchRule } from '../fakes/research-model.ts';
import type { KillScenario } from './scenario.ts';

/** The settings name the search engine before it is started: its ports are chosen once for the scenario. */
const FIRST_PORT = 20_000 + (process.pid % 20_000);
const SEARCH_PORT = FIRST_PORT + 6;

const rule = researchRule();

function direct({ messages, format }: DirectedRequest) {
  const plain = messages.map(({ role, content = '' }) => ({ role, content }));
  return { content: rule({ messages: plain, format }) };
}

/** A research over a web on loopback: every phase of it can be cut off. */
export const RESEARCH_SCENARIO: KillScenario = {
  prompt:
    'What is the installed capacity of the Norvik tidal power station, and what did it cost to build?',
  answer: null,
  marks: [],
  options: { mode: 'research', network: 'open', researchDepth: 'fast' },
  settings: {
    ...{ searchProvider: 'searxng', searxngUrl: `http://127.0.0.1:${SEARCH_PORT}` },
    ...{ egressPrivateHosts: ['127.0.0.1:*'], researchPageSeconds: 60 },
  },
  // Pages are read side by side, and one that was at work is read again: the order of calls may differ.
  compared: ['routing', 'search_plan', 'source', 'knowledge_update', 'report', 'complete'],
  serve: async () => {
    // Pages that never answer have tests of their own; a limit for them would cut off good ones here,
    // where a busy machine makes all of them slow.
    const web = await startFixtureWeb({ firstPort: FIRST_PORT, leaveOut: ['slow'] });
    const model = await startDirectedModel(direct);
    return {
      url: model.url,
      [Symbol.asyncDispose]: async () => {
        await model[Symbol.asyncDispose]();
        await web[Symbol.asyncDispose]();
      },
    };
  },
};
