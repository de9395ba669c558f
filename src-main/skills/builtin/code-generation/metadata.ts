import { orNull, TEXT } from '../../output-schema.ts';
import { skillMetadata } from '../../skill-metadata.ts';

/** Loaded at every start of the app; the skill itself is loaded on first use. */
export const metadata = skillMetadata({
  id: 'code_generation',
  name: 'Code Generation',
  description:
    'Writes a program with an explanation; on request with tests, which are run in the sandbox until they pass.',
  category: 'code',
  parameters: [
    { name: 'task', type: 'string', description: 'What the program does.' },
    {
      name: 'language',
      type: 'string',
      required: false,
      default: 'python',
      description:
        'python, javascript, typescript and bash are tested in the sandbox; others are not.',
    },
    {
      name: 'style',
      type: 'string',
      required: false,
      default: 'clean',
      description: 'How it is written, such as clean, functional, commented or short.',
    },
    {
      name: 'include_tests',
      type: 'boolean',
      required: false,
      default: false,
      description: 'Write tests too, and run them.',
    },
  ],
  outputSchema: {
    type: 'object',
    properties: {
      code: { ...TEXT, minLength: 1 },
      explanation: TEXT,
      tests: orNull('string'),
      language: TEXT,
      tests_passed: {
        ...orNull('boolean'),
        description: 'Null where no tests were asked for, or they could not run.',
      },
      test_output: orNull('string'),
    },
    required: ['code', 'explanation', 'tests', 'language', 'tests_passed', 'test_output'],
    additionalProperties: false,
  },
  requiredTools: ['execute_code'],
  capabilities: ['llm', 'sandbox'],
  // Writing a program has no effect; each run of its tests is a call of its own with its own approval.
  riskLevel: 'low',
  maxExecutionTimeSeconds: 1_800,
  maxIterations: 10,
  tags: ['code', 'program', 'script', 'tests'],
});
