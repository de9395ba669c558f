import { startFixtureWeb } from '../../../test/fakes/fixture-web/server.ts';
import { researchRule } from '../../../test/fakes/research-model.ts';
import type { ResearchQuestion, ResearchWeb } from './research.ts';

/** A rule-based model that quotes and compares text from its prompt, for `--model scripted`. */
const script = researchRule();

const QUESTIONS: readonly ResearchQuestion[] = [
  {
    name: 'a contested figure and a cost',
    question:
      'What is the installed capacity of the Norvik tidal power station, and what did it cost to build?',
    says: { 'one capacity': /320 MW/, 'the other': /340 MW/, 'the cost': /1\.9 billion/ },
    isContested: true,
    script,
  },
  {
    name: 'rates and the size of a plant',
    question:
      'How much lithium and cobalt does the Halden process recover, and how many tonnes does the plant handle?',
    says: { lithium: /95 %/, tonnes: /12,000 tonnes/ },
    script,
  },
  {
    name: 'a question in Chinese',
    question: '青岚湖的总磷浓度是多少，蓝藻水华持续了多久？',
    says: { phosphorus: /0\.04/, bloom: /46天/ },
    script,
  },
];

/** The fixture web of the tests: copies, contradictions, dead and slow pages, a prompt injection. */
export const FIXTURE_RESEARCH: ResearchWeb = {
  questions: QUESTIONS,
  open: async () => {
    const web = await startFixtureWeb();
    return {
      settings: {
        searchProvider: 'searxng',
        searxngUrl: web.searchUrl,
        network: 'open',
        egressPrivateHosts: ['127.0.0.1:*'],
        researchPageSeconds: 5,
      },
      [Symbol.asyncDispose]: () => web[Symbol.asyncDispose](),
    };
  },
};
