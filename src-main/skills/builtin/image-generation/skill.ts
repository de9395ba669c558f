import { z } from 'zod';
import { AppError } from '#contract/errors.ts';
import { IMAGE_PROMPT_CHARS, MOST_IMAGES } from '#contract/images.ts';
import { safeParse } from '#contract/safe-parse.ts';
import { toolSkill } from '../../tool-skill.ts';
import type { JsonObject, Skill, SkillContext } from '../../types.ts';
import { metadata } from './metadata.ts';

/** Sizes that image models draw well: about a million pixels. */
const SHAPES = {
  square: { width: 1_024, height: 1_024 },
  landscape: { width: 1_216, height: 832 },
  portrait: { width: 832, height: 1_216 },
  wide: { width: 1_344, height: 768 },
  tall: { width: 768, height: 1_344 },
} as const;

const SYSTEM = [
  'You write the description from which an image model draws a picture.',
  '- prompt: in English, at most 120 words, as a description of the finished picture and not as a request: the subject first, then what surrounds it, medium or style, light, colors, view. Keep everything that the user named: numbers, colors, names, words to be written in the picture (in quotation marks, as the user wrote them). Invent nothing that contradicts it.',
  '- negative_prompt: what must not be seen, as words with commas; empty unless the user said so.',
  '- alt: one sentence in the language of the user on what the picture will show, for people who do not see it.',
  '- shape: the one that fits: square, landscape, portrait, wide, tall.',
  `- count: how many pictures the user wants, 1 to ${MOST_IMAGES}.`,
].join('\n');
const CHANGING =
  'A picture is there and will be changed: prompt describes what it shows after the change, in the part that changes.';

const NO_DESCRIPTION =
  'The model wrote no usable description, so the image model got the request word for word.';

const Description = z.object({
  prompt: z.string().min(1).max(IMAGE_PROMPT_CHARS),
  negative_prompt: z.string().max(IMAGE_PROMPT_CHARS).default(''),
  alt: z.string().max(500).default(''),
  // Small models write other words: the usual shape is better than none.
  shape: z.enum(['square', 'landscape', 'portrait', 'wide', 'tall']).catch('square'),
  count: z.number().catch(1),
});
type Description = z.infer<typeof Description>;

const MadeImages = z.object({
  images: z
    .array(
      z.strictObject({
        path: z.string(),
        download_url: z.string(),
        alt: z.string(),
        seed: z.number().nullable(),
        model: z.string().nullable(),
        width: z.number(),
        height: z.number(),
      }),
    )
    .min(1),
  problems: z.array(z.string()),
});

async function execute(params: JsonObject, context: SkillContext): Promise<JsonObject> {
  const request = String(params.request).trim();
  const described = await describe(request, params, context);
  const isPlain = described === null && params.exact !== true && params.scale === undefined;
  const call = callOf(described, params);
  const { ok, status, content, data } = await context.tools.call('generate_image', call);
  const made = safeParse(MadeImages, data);
  if (!made.success) {
    const code = status === 'denied' ? 'TOOL_DENIED' : ok ? 'SKILL_FAILED' : 'TOOL_FAILED';
    throw new AppError(code, `No picture was made. ${content}`);
  }
  const { images, problems } = made.data;
  const [first] = images;
  return {
    summary: [
      images.length === 1 ? `Made ${first?.path}.` : `Made ${images.length} pictures.`,
      ...problems,
    ].join(' '),
    prompt: String(call.prompt),
    file: first?.path ?? '',
    download_url: first?.download_url ?? '',
    images,
    notes: isPlain ? [...problems, NO_DESCRIPTION] : problems,
  };
}

/** What the image model is given; null where the request itself is that. */
async function describe(
  request: string,
  { exact, image, scale }: JsonObject,
  context: SkillContext,
): Promise<Description | null> {
  // A larger copy needs no words.
  if (exact === true || scale !== undefined) return null;
  context.progress('Writing the description');
  try {
    return await context.services.llm.askFor({
      system: image === undefined ? SYSTEM : `${SYSTEM}\n${CHANGING}`,
      prompt: `The user's request: ${request}`,
      schema: Description,
    });
  } catch (error) {
    // Image models draw from the words of the user too.
    if (error instanceof AppError && error.code === 'SKILL_MODEL_ANSWER') return null;
    throw error;
  }
}

const PASSED = ['seed', 'steps', 'guidance', 'model', 'image', 'mask', 'strength', 'scale', 'file'];

/** The call of the tool: what the user gave goes before what the model chose. */
function callOf(described: Description | null, params: JsonObject): JsonObject {
  const { request, negative_prompt, width, height, count } = params;
  const shape = described === null ? null : SHAPES[described.shape];
  const call: Record<string, unknown> = {
    prompt: described?.prompt ?? String(request).trim().slice(0, IMAGE_PROMPT_CHARS),
    negative_prompt: negative_prompt ?? (described?.negative_prompt || undefined),
    alt: described?.alt || undefined,
    width: width ?? shape?.width,
    height: height ?? shape?.height,
    count: count ?? (described === null ? undefined : clamped(described.count)),
  };
  for (const name of PASSED) call[name] = params[name];
  return Object.fromEntries(Object.entries(call).filter(([, value]) => value !== undefined));
}

function clamped(count: number): number {
  return Math.min(MOST_IMAGES, Math.max(1, Math.round(count)));
}

export const skill: Skill = toolSkill(metadata, execute);
