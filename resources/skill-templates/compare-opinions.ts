import { defineSkill } from 'hyperagent';

const TIERS = ['flash', 'pro', 'max'] as const;

export default defineSkill<{ readonly question: string }>({
  metadata: {
    id: 'compare_opinions',
    name: 'Compare opinions',
    description: 'Asks models of several tiers the same question and compares their answers.',
    category: 'research',
    parameters: [{ name: 'question', type: 'string', description: 'What to ask.' }],
    outputSchema: {
      type: 'object',
      properties: {
        answers: { type: 'array', items: { type: 'object' } },
        agree: { type: 'boolean' },
        comparison: { type: 'string' },
      },
      required: ['answers', 'agree', 'comparison'],
    },
    capabilities: ['llm', 'emit'],
    author: 'you',
    tags: ['comparison'],
  },

  async run({ question }, app) {
    await app.emit('Asking the models');
    const answers = await Promise.all(
      TIERS.map(async (tier) => ({
        tier,
        answer: await app.llm.ask({
          system: 'Answer in three sentences at most, and say how sure you are.',
          prompt: question,
          tier,
        }),
      })),
    );
    await app.emit('Comparing the answers');
    const verdict = await app.llm.ask<{ agree: boolean; comparison: string }>({
      system: 'Compare the answers: where do they agree, where do they differ, what should be checked?',
      prompt: [question, ...answers.map(({ tier, answer }) => `Answer ${tier}: ${answer}`)].join('\n\n'),
      schema: {
        type: 'object',
        properties: { agree: { type: 'boolean' }, comparison: { type: 'string' } },
        required: ['agree', 'comparison'],
      },
    });
    return { answers, agree: verdict.agree, comparison: verdict.comparison };
  },
});
