import { defineSkill } from 'hyperagent';

export default defineSkill({
  metadata: {
    id: 'extract_facts',
    name: 'Extract facts',
    description: 'Reads pages and extracts the same fields from each.',
    category: 'data',
    parameters: [
      { name: 'urls', type: 'array', description: 'The pages.' },
      { name: 'fields', type: 'array', description: 'Names of what to take out of each.' },
    ],
    outputSchema: {
      type: 'object',
      properties: {
        rows: { type: 'array', items: { type: 'object' } },
        failed: { type: 'array', items: { type: 'object' } },
      },
      required: ['rows', 'failed'],
    },
    capabilities: ['fetch', 'llm', 'emit'],
    author: 'you',
    tags: ['extraction', 'table'],
  },

  async run({ urls, fields }, app) {
    const schema = {
      type: 'object',
      properties: Object.fromEntries(fields.map((field) => [field, { type: 'string' }])),
      required: fields,
    };
    const rows = [];
    const failed = [];
    for (const [index, url] of urls.entries()) {
      await app.emit(`Page ${index + 1} of ${urls.length}`);
      try {
        const page = await app.fetch(url);
        const facts = await app.llm.ask({
          system: 'Take these fields out of the page. Where it does not say one, give an empty text.',
          prompt: page.text.slice(0, 30_000),
          schema,
        });
        rows.push({ url, ...facts });
      } catch (error) {
        // One page that cannot be read costs that page.
        failed.push({ url, why: error.message });
      }
    }
    return { rows, failed };
  },
});
