import { AppTemplate } from '#contract/apps.ts';
import { closed, listOf, orNull, TEXT } from '../../output-schema.ts';
import { skillMetadata } from '../../skill-metadata.ts';

/** Loaded at every start of the app; the skill itself is loaded on first use. */
export const metadata = skillMetadata({
  id: 'app_builder',
  name: 'App Builder',
  description:
    'Builds a web app, or changes the one of this task: plans it, writes it, shows it live, repairs what a check finds, and proves by a test what it does.',
  category: 'automation',
  parameters: [
    {
      name: 'description',
      type: 'string',
      description: 'What the app is for, or what to change about it.',
    },
    {
      name: 'template',
      type: 'string',
      required: false,
      default: 'auto',
      options: ['auto', ...AppTemplate.options],
      description: 'What a new app starts from. auto: chosen to fit the app.',
    },
  ],
  outputSchema: closed({
    summary: { ...TEXT, minLength: 1 },
    preview_url: { ...orNull('string'), description: 'Null where the app does not run.' },
    folder: TEXT,
    template: orNull('string'),
    files_created: { ...listOf(TEXT), description: 'Every file that was written.' },
    points: {
      ...listOf(closed({ point: TEXT, shown: { type: 'boolean' }, evidence: TEXT })),
      description: 'What the app must do, and the test that shows it, or why none does.',
    },
    problems: {
      ...listOf(
        closed({ kind: TEXT, message: TEXT, file: orNull('string'), line: orNull('integer') }),
      ),
      description: 'What a check of the app still finds.',
    },
    repairs: { type: 'integer' },
    notes: listOf(TEXT),
  }),
  requiredTools: [
    ...['create_app_project', 'app_write_file', 'app_start_server', 'app_check'],
    'app_get_preview_url',
  ],
  capabilities: ['llm', 'sandbox'],
  // Each of its calls is one of its own with its own approval; the server asks before it starts.
  riskLevel: 'low',
  maxExecutionTimeSeconds: 3_600,
  maxIterations: 40,
  tags: ['app', 'website', 'web app', 'react', 'vue', 'express', 'game', 'dashboard', 'preview'],
});
