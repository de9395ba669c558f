import { skillMetadata } from '../../skill-metadata.ts';

/** Loaded at every start of the app; the skill itself is loaded on first use. */
export const metadata = skillMetadata({
  id: 'data_visualization',
  name: 'Data Visualization',
  description:
    'Writes the program for a chart, runs it where a file or data is given, and makes sure that the picture exists and opens.',
  category: 'data',
  parameters: [
    { name: 'request', type: 'string', description: 'What the chart should show.' },
    {
      name: 'file',
      type: 'string',
      required: false,
      description:
        'A data file of the workspace: csv, tsv, xlsx, xls, ods, json, parquet, sqlite; also packed as .gz.',
    },
    {
      name: 'data',
      type: 'array',
      required: false,
      description: 'Values, or objects with the same fields, where there is no file.',
    },
    {
      name: 'chart_type',
      type: 'string',
      required: false,
      default: 'auto',
      options: ['auto', 'bar', 'line', 'scatter', 'histogram', 'pie', 'box', 'heatmap'],
      description: 'auto: chosen to fit the data.',
    },
  ],
  outputSchema: {
    type: 'object',
    properties: {
      code: { type: 'string' },
      language: { type: 'string' },
      chart_path: { type: ['string', 'null'] },
      explanation: { type: 'string' },
      data_points: { type: ['integer', 'null'] },
    },
    required: ['code', 'language', 'chart_path', 'explanation', 'data_points'],
    additionalProperties: false,
  },
  requiredTools: ['execute_code'],
  capabilities: ['llm', 'sandbox'],
  // execute_code asks for approval of each program, with its whole text; the skill does nothing else.
  riskLevel: 'medium',
  maxExecutionTimeSeconds: 1_800,
  maxIterations: 12,
  tags: ['chart', 'plot', 'graph', 'csv', 'matplotlib', 'svg'],
});
