import { defineSkill } from 'hyperagent';

interface Params {
  readonly url: string;
  readonly points: number;
}

interface Summary {
  readonly title: string;
  readonly points: readonly string[];
}

export default defineSkill<Params>({
  metadata: {
    id: 'summarise_page',
    name: 'Summarise a page',
    description: 'Reads a page and gives its main points.',
    category: 'research',
    parameters: [
      { name: 'url', type: 'string', description: 'The page.' },
      {
        name: 'points',
        type: 'number',
        description: 'How many points.',
        required: false,
        default: 5,
      },
    ],
    outputSchema: {
      type: 'object',
      properties: {
        url: { type: 'string' },
        title: { type: 'string' },
        points: { type: 'array', items: { type: 'string' } },
      },
      required: ['url', 'title', 'points'],
    },
    capabilities: ['fetch', 'llm', 'emit'],
    author: 'you',
    tags: ['summary'],
  },

  async run({ url, points }, app) {
    await app.emit(`Reading ${url}`);
    const page = await app.fetch(url);
    await app.emit('Summing up');
    const summary = await app.llm.ask<Summary>({
      system: `Sum the page up in at most ${points} points of one sentence each. Say only what it says.`,
      prompt: page.text.slice(0, 30_000),
      schema: {
        type: 'object',
        properties: {
          title: { type: 'string', description: 'What the page is about, in a few words.' },
          points: { type: 'array', items: { type: 'string' } },
        },
        required: ['title', 'points'],
      },
    });
    return { url: page.url, title: summary.title, points: summary.points.slice(0, points) };
  },
});
