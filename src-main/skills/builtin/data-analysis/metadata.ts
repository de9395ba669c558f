import { skillMetadata } from '../../skill-metadata.ts';

const TABLE = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    rows: { type: 'integer' },
    columns: { type: 'integer' },
  },
  required: ['name', 'rows', 'columns'],
  additionalProperties: false,
};
const STRINGS = { type: 'array', items: { type: 'string' } };

/** Loaded at every start of the app; the skill itself is loaded on first use. */
export const metadata = skillMetadata({
  id: 'data_analysis',
  name: 'Data Analysis',
  description:
    'Answers questions about data files (csv, tsv, xlsx, xls, ods, json, parquet, sqlite, also as .gz) with programs, charts and a short report; every number is checked against what the programs printed.',
  category: 'data',
  parameters: [
    { name: 'request', type: 'string', description: 'What to find out.' },
    {
      name: 'files',
      type: 'array',
      required: false,
      description: 'Paths of files of the workspace; by default all its data files.',
    },
    {
      name: 'output_language',
      type: 'string',
      required: false,
      description: 'Language of the report; by default that of the request.',
    },
  ],
  outputSchema: {
    type: 'object',
    properties: {
      summary: { type: 'string' },
      findings: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            statement: { type: 'string' },
            numbers: STRINGS,
            verified: { type: 'boolean' },
          },
          required: ['statement', 'numbers', 'verified'],
          additionalProperties: false,
        },
      },
      report: { type: 'string' },
      report_path: { type: 'string' },
      charts: STRINGS,
      files: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            path: { type: 'string' },
            format: { type: 'string' },
            encoding: { type: ['string', 'null'] },
            rows: { type: 'integer' },
            columns: { type: 'integer' },
            tables: { type: 'array', items: TABLE },
            problems: STRINGS,
          },
          required: ['path', 'format', 'encoding', 'rows', 'columns', 'tables', 'problems'],
          additionalProperties: false,
        },
      },
      unverified_numbers: {
        type: 'array',
        items: {
          type: 'object',
          properties: { number: { type: 'string' }, statement: { type: 'string' } },
          required: ['number', 'statement'],
          additionalProperties: false,
        },
      },
      notes: STRINGS,
      steps: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            language: { type: 'string' },
            code: { type: 'string' },
            ok: { type: 'boolean' },
          },
          required: ['language', 'code', 'ok'],
          additionalProperties: false,
        },
      },
    },
    required: [
      ...['summary', 'findings', 'report', 'report_path', 'charts', 'files'],
      ...['unverified_numbers', 'notes', 'steps'],
    ],
    additionalProperties: false,
  },
  requiredTools: ['execute_code', 'sandbox_file', 'web_search', 'generate_image', 'analyze_image'],
  capabilities: ['llm', 'sandbox', 'search'],
  // execute_code asks for approval of each program, with its whole text; besides, the skill only writes its
  // report. One more question before all those would be answered unread.
  riskLevel: 'medium',
  // Small models on laptops take minutes for an answer.
  maxExecutionTimeSeconds: 3_600,
  maxIterations: 12,
  tags: ['csv', 'excel', 'xlsx', 'json', 'parquet', 'sqlite', 'statistics', 'charts'],
});
