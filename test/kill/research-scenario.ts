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

/** Research over a web on loopback, which can be killed in every phase. */
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
  places: Object.fromEntries(
    Array.from({ length: 10 }, (_, i) => [`127.0.0.1:${FIRST_PORT + i}`, `@WEB${i}@`]),
  ),
  // Pages are read in parallel, and an interrupted read is repeated: the order of calls may differ.
  compared: ['routing', 'search_plan', 'source', 'knowledge_update', 'report', 'complete'],
  serve: async () => {
    // Pages that never answer have their own tests; a time limit for them would fail good pages here on a
    // busy machine.
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
