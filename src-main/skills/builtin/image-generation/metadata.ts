import { IMAGE_EDGE, MOST_IMAGES } from '#contract/images.ts';
import { closed, TEXT } from '../../output-schema.ts';
import { skillMetadata } from '../../skill-metadata.ts';

const NUMBER_OR_NULL = { type: ['integer', 'null'] };
const optional = { type: 'string', required: false } as const;
const optionalNumber = { type: 'number', required: false } as const;

/** Loaded at every start of the app; the skill itself is loaded on first use. */
export const metadata = skillMetadata({
  id: 'image_generation',
  name: 'Image Generation',
  description:
    'Makes pictures from words by an image model: writes the description that it draws best from, makes them, and says what they show. Changes or enlarges pictures too.',
  category: 'creative',
  parameters: [
    {
      name: 'request',
      type: 'string',
      description: 'What the picture should show, or how it should change.',
    },
    {
      name: 'exact',
      type: 'boolean',
      required: false,
      default: false,
      description: 'The request goes to the image model word for word.',
    },
    { ...optional, name: 'negative_prompt', description: 'What must not be in it.' },
    {
      ...optionalNumber,
      name: 'width',
      description: `In pixels, ${IMAGE_EDGE.least} to ${IMAGE_EDGE.most}; by default what fits the request.`,
    },
    { ...optionalNumber, name: 'height', description: 'In pixels, as width.' },
    {
      ...optionalNumber,
      name: 'count',
      description: `How many, 1 to ${MOST_IMAGES}; by default what the request says.`,
    },
    { ...optionalNumber, name: 'seed', description: 'The same one gives the same picture.' },
    { ...optionalNumber, name: 'steps', description: 'More are slower and finer.' },
    { ...optionalNumber, name: 'guidance', description: 'How closely it follows the words.' },
    { ...optional, name: 'model', description: "Of the image server; by default the settings'." },
    { ...optional, name: 'image', description: 'A picture of the workspace to change.' },
    { ...optional, name: 'mask', description: 'A picture of its size: white where it may change.' },
    { ...optionalNumber, name: 'strength', description: 'How much may change, 0 to 1.' },
    { ...optionalNumber, name: 'scale', description: 'Makes the picture that many times larger.' },
    { ...optional, name: 'file', description: 'Path of the .png; by default made of the request.' },
  ],
  outputSchema: closed({
    summary: { ...TEXT, minLength: 1 },
    prompt: { ...TEXT, description: 'What the image model was given.' },
    file: { ...TEXT, description: 'The first picture in the workspace.' },
    download_url: TEXT,
    images: {
      type: 'array',
      items: closed({
        path: TEXT,
        download_url: TEXT,
        alt: TEXT,
        seed: NUMBER_OR_NULL,
        model: { type: ['string', 'null'] },
        width: { type: 'integer' },
        height: { type: 'integer' },
      }),
    },
    notes: { type: 'array', items: TEXT, description: 'What did not go as asked for.' },
  }),
  requiredTools: ['generate_image'],
  capabilities: ['llm'],
  // generate_image asks by itself, by where the description would go.
  riskLevel: 'medium',
  // Without a graphics card, a picture takes many minutes.
  maxExecutionTimeSeconds: 7_200,
  maxIterations: 6,
  tags: [
    'image',
    'picture',
    'drawing',
    'illustration',
    'photo',
    'logo',
    'art',
    'inpaint',
    'upscale',
  ],
});
