import { SlideTheme } from '#contract/slides.ts';
import { closed, listOf, TEXT } from '../../output-schema.ts';
import { skillMetadata } from '../../skill-metadata.ts';

/** How many slides may be asked for. */
export const SLIDE_COUNT = { least: 3, most: 30 } as const;

const COUNT = { type: 'integer', minimum: 1 };
const optional = { type: 'string', required: false } as const;

/** Loaded at every start of the app; the skill itself is loaded on first use. */
export const metadata = skillMetadata({
  id: 'slide_generation',
  name: 'Slide Generation',
  description:
    'Makes a presentation (pptx): looks for material, outlines it, writes it slide by slide, lays it out, fixes what a check finds, and marks figures that its material does not have.',
  category: 'creative',
  parameters: [
    {
      name: 'request',
      type: 'string',
      description: 'What the presentation is about, with all facts that it needs.',
    },
    {
      name: 'slide_count',
      type: 'number',
      required: false,
      description: `How many slides, ${SLIDE_COUNT.least} to ${SLIDE_COUNT.most}; by default what fits, about 8.`,
    },
    {
      ...optional,
      name: 'theme',
      options: SlideTheme.options,
      description: 'Its look; by default chosen to fit the subject.',
    },
    {
      ...optional,
      name: 'template',
      description:
        'A .pptx or .potx of the workspace whose layouts, colors and fonts it gets; by default one that the request names as such.',
    },
    { ...optional, name: 'language', description: 'By default that of the request.' },
    { ...optional, name: 'audience', description: 'Who sees it.' },
    {
      name: 'files',
      type: 'array',
      required: false,
      description:
        'Files of the workspace with its material: texts, PDFs, Word documents, presentations, data, pictures. By default those that the request names, else those at its top.',
    },
    {
      ...optional,
      name: 'research',
      default: 'auto',
      options: ['auto', 'web', 'none'],
      description: 'auto: searches the web only where the request and its files lack the facts.',
    },
    {
      ...optional,
      name: 'pictures',
      default: 'auto',
      options: ['auto', 'draw', 'none'],
      description:
        'Pictures by an image model. auto: where an image server on this computer answers, or the request asks for pictures; draw: wherever that is possible; none: never.',
    },
    {
      name: 'review_outline',
      type: 'boolean',
      required: false,
      description:
        'Asks the user about the outline before the slides are written; by default where the request asks for that.',
    },
    { ...optional, name: 'file', description: 'Path of the .pptx; by default made of the title.' },
    {
      name: 'slide',
      type: 'number',
      required: false,
      description: 'Only this slide of file is written again, from 1, as the request says.',
    },
  ],
  outputSchema: closed({
    summary: { ...TEXT, minLength: 1 },
    title: TEXT,
    file: { ...TEXT, description: 'The presentation in the workspace.' },
    download_url: TEXT,
    slide_count: COUNT,
    page_count: { ...COUNT, description: 'A slide that is too long takes several pages.' },
    outline: listOf(closed({ layout: TEXT, title: TEXT })),
    findings: { ...listOf(TEXT), description: 'What the check of the slides still finds.' },
    unverified_figures: {
      ...listOf(TEXT),
      description: 'Figures on slides that neither the request nor the material has.',
    },
    pictures: { ...listOf(TEXT), description: 'Paths of the pictures that were drawn for it.' },
    sources: listOf(closed({ index: { type: 'integer' }, url: TEXT, title: TEXT })),
    notes: { ...listOf(TEXT), description: 'What was not done as asked for, and why.' },
  }),
  requiredTools: ['generate_slides'],
  capabilities: ['llm', 'search', 'fetch', 'sandbox'],
  // It writes its own file into the workspace. Searches, pages and programs need approval one by one.
  riskLevel: 'medium',
  // Small models on laptops take minutes for an answer, and each slide is one.
  maxExecutionTimeSeconds: 7_200,
  maxIterations: 12,
  tags: ['slides', 'presentation', 'powerpoint', 'pptx', 'deck', 'pitch', 'talk'],
});
