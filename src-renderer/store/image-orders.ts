import { IMAGE_EDGE, IMAGE_PROMPT_CHARS, type ImageRecord } from '#contract/images.ts';
import type { RunSkill } from '#contract/skills.ts';

const SKILL = 'image_generation';
/** How many times larger "Larger" makes a picture. */
const LARGER = 2;

export interface PixelSize {
  readonly width: number;
  readonly height: number;
}

/** The same order again; without its seed it gives another picture of the same description. */
export function repeatOrder(record: ImageRecord, { keepSeed }: { keepSeed: boolean }): RunSkill {
  const { prompt, negativePrompt, width, height, seed, steps, guidance, strength } = record;
  const { model, image, mask } = record;
  return order({
    ...{ request: prompt, exact: true, negative_prompt: negativePrompt || null, width, height },
    ...{ seed: keepSeed ? seed : null, steps, guidance, model, image, mask, strength },
  });
}

/** A larger copy of a picture. Its words, where they are known, help some models. */
export function largerOrder(path: string, record: ImageRecord | null): RunSkill {
  // The new file is named after them.
  const request = record?.prompt || stemOf(path);
  return order({ request, exact: true, image: path, scale: LARGER });
}

export interface ImageChange {
  readonly request: string;
  /** Path of the mask; null to change the whole picture. */
  readonly mask: string | null;
  /** 0 to 1; null leaves it to the server. */
  readonly strength: number | null;
  /** Of the picture, which keeps it. */
  readonly size: PixelSize | null;
}

/** A changed copy of a picture. */
export function changeOrder(
  path: string,
  { request, mask, strength, size }: ImageChange,
): RunSkill {
  const isKept = size !== null && isEdge(size.width) && isEdge(size.height);
  return order({
    ...{ request: request.trim().slice(0, IMAGE_PROMPT_CHARS), image: path, mask, strength },
    width: isKept ? size.width : null,
    height: isKept ? size.height : null,
  });
}

type GivenParams = Readonly<Record<string, string | number | boolean | null>>;

function order(params: GivenParams): RunSkill {
  const given = Object.entries(params).filter(([, value]) => value !== null);
  return { id: SKILL, params: Object.fromEntries(given) };
}

function isEdge(pixels: number): boolean {
  return pixels >= IMAGE_EDGE.least && pixels <= IMAGE_EDGE.most;
}

function stemOf(path: string): string {
  const name = path.split('/').at(-1) ?? path;
  return name.replace(/(?<=.)\.[^.]*$/, '');
}
