import { TEXT } from '../../output-schema.ts';
import { skillMetadata } from '../../skill-metadata.ts';
import { CATEGORIES, SEVERITIES } from './kinds.ts';

const INTEGER = { type: 'integer', minimum: 1 };

/** Loaded at every start of the app; the skill itself is loaded on first use. */
export const metadata = skillMetadata({
  id: 'code_review',
  name: 'Code Review',
  description: 'Reviews code for bugs, security and style; every line that it names exists.',
  category: 'code',
  parameters: [
    {
      name: 'code',
      type: 'string',
      required: false,
      description: 'The code; either this or `path`.',
    },
    {
      name: 'path',
      type: 'string',
      required: false,
      description: 'A file of the workspace; either this or `code`.',
    },
    {
      name: 'language',
      type: 'string',
      required: false,
      description: 'The language; by default that of the file.',
    },
    {
      name: 'focus',
      type: 'string',
      required: false,
      default: 'all',
      options: ['all', 'bugs', 'style', 'security'],
      description: 'What to look for.',
    },
  ],
  outputSchema: {
    type: 'object',
    properties: {
      summary: TEXT,
      issues: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            severity: { type: 'string', enum: [...SEVERITIES] },
            category: { type: 'string', enum: [...CATEGORIES] },
            line: INTEGER,
            end_line: INTEGER,
            message: TEXT,
            suggestion: TEXT,
            quote: { ...TEXT, description: 'The text of `line`.' },
            found_by: { type: 'string', enum: ['model', 'rule', 'both'] },
          },
          required: [
            ...['severity', 'category', 'line', 'end_line', 'message', 'suggestion', 'quote'],
            'found_by',
          ],
          additionalProperties: false,
        },
      },
      score: { type: 'integer', minimum: 0, maximum: 100, description: 'By number and severity.' },
      dropped: {
        type: 'integer',
        minimum: 0,
        description: 'Issues that the model named at places that are not in the code.',
      },
      lines: { ...INTEGER, description: 'Of the code.' },
      not_reviewed: {
        type: 'array',
        items: {
          type: 'object',
          properties: { line: INTEGER, end_line: INTEGER },
          required: ['line', 'end_line'],
          additionalProperties: false,
        },
      },
    },
    required: ['summary', 'issues', 'score', 'dropped', 'lines', 'not_reviewed'],
    additionalProperties: false,
  },
  capabilities: ['llm', 'sandbox'],
  // In the sandbox it reads one file, and nothing else.
  riskLevel: 'low',
  maxExecutionTimeSeconds: 3_600,
  maxIterations: 40,
  tags: ['code', 'review', 'bugs', 'security', 'style'],
});
