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

/** Known at every start of the app; the skill itself is loaded when it is first used. */
export const metadata = skillMetadata({
  id: 'data_analysis',
  name: 'Data Analysis',
  description:
    'Answers questions about data files (csv, tsv, xlsx, json, parquet, sqlite) with programs, charts and a short report; every number is checked against what the programs printed.',
  category: 'data',
  parameters: [
    { name: 'request', type: 'string', description: 'What is to be found out.' },
    {
      name: 'files',
      type: 'array',
      required: false,
      description: 'Paths of files of the workspace; all data files in it unless given.',
    },
    {
      name: 'output_language',
      type: 'string',
      required: false,
      description: 'Of the report; that of the request unless given.',
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
  requiredTools: ['execute_code', 'sandbox_file', 'web_search'],
  capabilities: ['llm', 'sandbox', 'search'],
  // Each program is asked about by execute_code itself, with its whole text; what the skill does besides
  // is to write its report. One more question before all those would be answered without being read.
  riskLevel: 'medium',
  // Small models on laptops take minutes for an answer.
  maxExecutionTimeSeconds: 3_600,
  maxIterations: 12,
  tags: ['csv', 'excel', 'xlsx', 'json', 'parquet', 'sqlite', 'statistics', 'charts'],
});
