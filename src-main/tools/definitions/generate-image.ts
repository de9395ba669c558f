import { randomInt } from 'node:crypto';
import { z } from 'zod';
import { AppError } from '#contract/errors.ts';
import type { RunEventDraft } from '#contract/events/run-event.ts';
import { IMAGE_EDGE, IMAGE_PROMPT_CHARS, type ImageRecord, MOST_IMAGES } from '#contract/images.ts';
import { safeParse } from '#contract/safe-parse.ts';
import { MOST_PATH_CHARS } from '../../base/path-glob.ts';
import type { ImageContact } from '../../images/image-contacts.ts';
import {
  imagePaths,
  isTaken,
  namedPaths,
  readImageRecord,
  writeImage,
} from '../../images/image-files.ts';
import {
  type GivenOrder,
  imageAgentsOfRun,
  type MadeOrder,
  type OrderScope,
} from '../../images/image-service.ts';
import { readPicture } from '../../pictures/read-picture.ts';
import { defineTool, type ToolParts } from '../define-tool.ts';
import { changeEvents } from '../run-command.ts';
import type { LookContext, ToolContext, ToolDefinition, ToolOutput } from '../types.ts';
import { insideWorkspace } from '../workspace-paths.ts';

const SEEDS = 2 ** 31;
const ALT_CHARS = 500;

const Path = z
  .string()
  .min(1)
  .refine((path) => path.length <= MOST_PATH_CHARS, { message: 'the path is too long' });
const NewFile = Path.refine((path) => /[^/]\.png$/i.test(path), { message: 'it must end in .png' })
  .refine((path) => !path.split(/[/\\]/).includes('..'), { message: 'it must not contain ..' })
  .refine((path) => !insideWorkspace(path).startsWith('/'), { message: 'it must be in /workspace' })
  .refine((path) => !/^(?:\.\/+)*\.hyperagent(?:\/|$)/i.test(insideWorkspace(path)), {
    message: 'the folder .hyperagent belongs to the app',
  });
const Edge = z.int().min(IMAGE_EDGE.least).max(IMAGE_EDGE.most);

const GenerateImageInput = z.strictObject({
  prompt: z.string().max(IMAGE_PROMPT_CHARS),
  negative_prompt: z.string().max(IMAGE_PROMPT_CHARS).nullish(),
  alt: z.string().max(ALT_CHARS).nullish().describe('what it shows, for people who do not see it'),
  width: Edge.nullish(),
  height: Edge.nullish(),
  count: z.int().min(1).max(MOST_IMAGES).nullish(),
  seed: z.int().min(0).max(Number.MAX_SAFE_INTEGER).nullish(),
  steps: z.int().min(1).max(150).nullish(),
  guidance: z.number().min(0).max(30).nullish(),
  model: z.string().max(300).nullish(),
  image: Path.nullish().describe('a picture to change'),
  mask: Path.nullish().describe('white where it may change'),
  strength: z.number().min(0).max(1).nullish(),
  scale: z.number().gt(1).max(4).nullish().describe('make image larger'),
  file: NewFile.nullish(),
});
type GenerateImageInput = z.infer<typeof GenerateImageInput>;

/** Makes pictures from words, changes parts of one, or makes one larger. */
export function tool({ images }: Pick<ToolParts, 'images'>): ToolDefinition {
  return defineTool({
    name: 'generate_image',
    description: 'Make pictures from words, or change one, by an image model.',
    input: GenerateImageInput,
    question: ({ image }) => (image ? 'Change this picture?' : 'Make this picture?'),
    risk: 'medium',
    inRun: (input) => {
      const contacts = images.contacts();
      const remote = contacts.filter(({ isLocal }) => !isLocal);
      if (remote.length === 0) return { risk: 'medium', seen: contacts };
      const what = input.image ? 'the description and the picture' : 'the description';
      const to = remote.map(({ label, target }) => `${label} (${target.host})`).join(' or ');
      const exit = `It would send ${what} to ${to}.`;
      const hosts = remote.map(({ target }) => target.host);
      return { risk: 'high', subjects: { hosts }, seen: contacts, exit, notice: exit };
    },
    effect: 'probeable',
    subjects: (input) => ({ paths: [...outputPaths(input), ...inputPaths(input)] }),
    before: (input, context) => findStart(input, context),
    probe: (input, context) => probeOutcome(input, context),
    run: async (input, context) => {
      const problem = problemOf(input);
      if (problem !== null) return { content: problem, ok: false };
      const stored = safeParse(Start, context.before);
      const start = stored.success ? stored.data : await findStart(input, context);
      const order = await readOrder(input, { seed: start.seed, context });
      const made = await images.make(order, scopeOf(context));
      return await keep(made, { input, order, start, context });
    },
  });
}

/** Where the pictures go, and with which seed: the same for a call that is repeated after a crash. */
const Start = z.object({ paths: z.array(z.string()), seed: z.number() });
type Start = z.infer<typeof Start>;

async function findStart(input: GenerateImageInput, context: LookContext): Promise<Start> {
  const wanted = context.paths.slice(0, outputPaths(input).length);
  const count = input.count ?? 1;
  const seed = input.seed ?? randomInt(SEEDS);
  const files = context.sandbox.workspace.withoutLinks();
  const free: string[] = [];
  for (const path of wanted) {
    // A link may lead to a file of another kind.
    if (!/\.png$/i.test(path)) throw new AppError('BAD_REQUEST', `${path} is not a .png file.`);
    if (input.file || !(await isTaken(files, path))) free.push(path);
    if (free.length === count) return { paths: free, seed };
  }
  throw new AppError('CONFLICT', 'There are many pictures of this name. Give a file of your own.');
}

function outputPaths({ prompt, file }: GenerateImageInput): string[] {
  return file ? namedPaths(insideWorkspace(file)) : imagePaths(prompt);
}

function inputPaths({ image, mask }: GenerateImageInput): string[] {
  return [image, mask].flatMap((path) => (path ? [insideWorkspace(path)] : []));
}

/** What does not fit together, for the model; null if all does. */
function problemOf({ prompt, image, mask, scale }: GenerateImageInput): string | null {
  if (prompt.trim() === '' && !scale) return 'prompt is empty. Describe the picture.';
  if (mask && !image) return 'A mask needs the picture that it belongs to: give image too.';
  if (scale && !image) return 'scale makes a picture larger: give image too.';
  if (scale && mask) return 'Give either mask or scale.';
  return null;
}

async function readOrder(
  input: GenerateImageInput,
  { seed, context }: { readonly seed: number; readonly context: ToolContext },
): Promise<GivenOrder> {
  const { image, mask, scale } = input;
  const files = context.sandbox.workspace.withoutLinks();
  const paths = context.paths.slice(outputPaths(input).length);
  const [imagePath, maskPath] = paths;
  return {
    operation: scale ? 'upscale' : mask ? 'inpaint' : image ? 'edit' : 'create',
    prompt: input.prompt.trim(),
    negativePrompt: (input.negative_prompt ?? '').trim(),
    width: input.width ?? null,
    height: input.height ?? null,
    count: input.count ?? 1,
    seed,
    steps: input.steps ?? null,
    guidance: input.guidance ?? null,
    model: input.model?.trim() || null,
    image: image && imagePath !== undefined ? await readPicture(imagePath, files) : null,
    mask: mask && maskPath !== undefined ? await readPicture(maskPath, files) : null,
    strength: input.strength ?? null,
    scale: scale ?? 1,
  };
}

function scopeOf({ egress, signal, threadId, toolCallId, seen }: ToolContext): OrderScope {
  return {
    // Safe: `inRun` gave it, for exactly this call.
    contacts: (seen ?? []) as readonly ImageContact[],
    createAgent: imageAgentsOfRun(egress),
    ...{ signal, threadId, toolCallId },
  };
}

async function keep(
  { contact, images, problems }: MadeOrder,
  {
    input,
    order,
    start,
    context,
  }: {
    readonly input: GenerateImageInput;
    readonly order: GivenOrder;
    readonly start: Start;
    readonly context: ToolContext;
  },
): Promise<ToolOutput> {
  const { toolCallId, sandbox } = context;
  const files = sandbox.workspace.withoutLinks();
  using watch = await sandbox.workspace.watch(toolCallId, start.paths);
  const kept: Kept[] = [];
  for (const [index, { png, seed, model, width, height, isBlack }] of images.entries()) {
    const path = start.paths[index];
    if (path === undefined) break;
    const record: ImageRecord = {
      ...{ operation: order.operation, prompt: order.prompt, negativePrompt: order.negativePrompt },
      ...{ width, height, seed, model, server: contact.kind },
      ...{ steps: order.steps, guidance: order.guidance, strength: order.strength },
      scale: order.operation === 'upscale' ? order.scale : null,
      alt: altOf(input),
      ...{ image: input.image ?? null, mask: input.mask ?? null, at: Date.now() },
    };
    await writeImage(files, path, { png, call: toolCallId, record });
    kept.push({ path, size: png.length, isBlack, record });
  }
  const events = changeEvents(toolCallId, await watch.end());
  return describe(kept, { label: contact.label, problems, events, toolCallId });
}

interface Kept {
  readonly path: string;
  readonly size: number;
  readonly isBlack: boolean;
  readonly record: ImageRecord;
}

/** The output of a call that a crash interrupted, where its pictures are there; null where it is to be repeated. */
async function probeOutcome(
  _input: GenerateImageInput,
  context: LookContext,
): Promise<ToolOutput | null> {
  const stored = safeParse(Start, context.before);
  if (!stored.success) return null;
  const { toolCallId } = context;
  const files = context.sandbox.workspace.withoutLinks();
  const kept: Kept[] = [];
  for (const path of stored.data.paths) {
    const found = (await isTaken(files, path)) ? await readImageRecord(files, path) : null;
    if (found === null || found.call !== toolCallId) return null;
    kept.push({ path, size: found.size, isBlack: false, record: found.record });
  }
  const events = kept.map(({ path, size }): RunEventDraft => {
    return { type: 'workspace_update', operation: 'create', path, size, origin: toolCallId };
  });
  return describe(kept, { label: 'The image server', problems: [], events, toolCallId });
}

function altOf({ alt, prompt, image }: GenerateImageInput): string {
  const given = alt?.trim() || prompt.trim() || `A larger copy of ${image}`;
  return given.length > ALT_CHARS ? `${given.slice(0, ALT_CHARS - 1)}…` : given;
}

function describe(
  kept: readonly Kept[],
  {
    label,
    problems,
    events,
    toolCallId,
  }: {
    readonly label: string;
    readonly problems: readonly string[];
    readonly events: readonly RunEventDraft[];
    readonly toolCallId: string;
  },
): ToolOutput {
  // What the server calls its model is not for models to read.
  const lines = kept.map(({ path, record: { width, height, seed } }) => {
    const size = `${width} × ${height}`;
    return `- ${path} (${seed === null ? size : `${size}, seed ${seed}`})`;
  });
  const black = kept.filter(({ isBlack }) => isBlack);
  const warnings = [...problems];
  if (black.length > 0) {
    warnings.push(
      `${black.map(({ path }) => path).join(', ')}: nothing but black. Unless that was wanted, the model's numbers overflowed: start the server with full precision (--no-half-vae, --vae-tiling), or choose another model.`,
    );
  }
  const shown = kept.map(
    ({ path, size, record: { alt } }, index): RunEventDraft => ({
      ...{ type: 'image', index, path, mimeType: 'image/png', bytes: size, alt, toolCallId },
    }),
  );
  return {
    content: [`${label} made:`, ...lines, ...warnings].join('\n'),
    ok: black.length < kept.length,
    data: {
      images: kept.map(({ path, record: { alt, seed, model, width, height } }) => ({
        ...{ path, download_url: `workspace:${path}`, alt, seed, model, width, height },
      })),
      problems: warnings,
    },
    events: [...events, ...shown],
  };
}
