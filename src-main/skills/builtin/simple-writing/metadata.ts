import { TEXT } from '../../output-schema.ts';
import { skillMetadata } from '../../skill-metadata.ts';
import { LENGTHS } from './lengths.ts';

const optional = { type: 'string', required: false } as const;

/** Loaded at every start of the app; the skill itself is loaded on first use. */
export const metadata = skillMetadata({
  id: 'simple_writing',
  name: 'Simple Writing',
  description:
    'Writes a document, an e-mail or an article, as Markdown and on request as Word (docx).',
  category: 'creative',
  parameters: [
    {
      name: 'request',
      type: 'string',
      description: 'What the text is about, with all facts that it needs.',
    },
    {
      ...optional,
      name: 'type',
      default: 'document',
      options: ['document', 'email', 'article'],
      description: 'What kind of text.',
    },
    {
      ...optional,
      name: 'tone',
      default: 'plain and friendly',
      description: 'How it sounds, such as formal or cheerful.',
    },
    {
      ...optional,
      name: 'length',
      default: 'medium',
      options: Object.keys(LENGTHS),
      description: 'About 250, 700 or 1,800 words; an e-mail half of that.',
    },
    { ...optional, name: 'audience', description: 'Who reads it.' },
    { ...optional, name: 'language', description: 'By default that of the request.' },
    {
      ...optional,
      name: 'format',
      default: 'markdown',
      options: ['markdown', 'docx'],
      description: 'docx adds a Word document.',
    },
  ],
  outputSchema: {
    type: 'object',
    properties: {
      title: { ...TEXT, description: 'The subject of an e-mail.' },
      content: { ...TEXT, description: 'Markdown.', minLength: 1 },
      email: {
        anyOf: [
          {
            type: 'object',
            properties: { subject: TEXT, greeting: TEXT, body: TEXT, closing: TEXT },
            required: ['subject', 'greeting', 'body', 'closing'],
            additionalProperties: false,
          },
          { type: 'null' },
        ],
      },
      path: { ...TEXT, description: 'Of the Markdown file in the workspace.' },
      docx_path: { anyOf: [TEXT, { type: 'null' }] },
      word_count: { type: 'integer', minimum: 1 },
    },
    required: ['title', 'content', 'email', 'path', 'docx_path', 'word_count'],
    additionalProperties: false,
  },
  capabilities: ['llm', 'sandbox'],
  // It writes its own files into the workspace, and runs nothing.
  riskLevel: 'medium',
  maxExecutionTimeSeconds: 3_600,
  maxIterations: 5,
  tags: ['writing', 'document', 'email', 'article', 'docx'],
});
