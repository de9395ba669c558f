import type { ModelRef } from '#contract/entities.ts';

/** The size of a picture in pixels. */
export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** How pictures are sent to a model, and what they cost. */
export interface PictureRules {
  /** The size in which a picture of `size` is sent: never larger, and of the same shape. */
  sizeFor(size: PictureSize): PictureSize;
  /** Tokens of a picture of `size`, as the maker of the model counts them. */
  tokens(size: PictureSize): number;
}

/**
 * The rules for a model, by its name: those that its maker publishes. Sizes are chosen so that the server need
 * not make the picture smaller. For unknown models, a size that all take and a count that errs upwards.
 */
export function pictureRules({ provider, name }: ModelRef): PictureRules {
  const plain = name.toLowerCase();
  const rules = FAMILIES.find(([family]) => family.test(plain))?.[1] ?? UNKNOWN;
  return provider === 'ollama' && QWEN.test(plain) ? atLeast(1_024, rules) : rules;
}

/** Patches of `edge` pixels, each a token, at most `most`, with sides of at most `longest` pixels. */
function patches(edge: number, { most, longest }: { most: number; longest: number }): PictureRules {
  const tokens = ({ width, height }: PictureSize): number =>
    Math.ceil(width / edge) * Math.ceil(height / edge);
  const sizeFor = (size: PictureSize): PictureSize => {
    let sent = shrink(size, { longest });
    while (tokens(sent) > most) {
      // As OpenAI publishes it: to the area of the patches, then to whole patches on the side that has fewer left.
      const { width, height } = sent;
      const scale = Math.sqrt((most * edge ** 2) / (width * height));
      const [across, down] = [(width * scale) / edge, (height * scale) / edge];
      const whole = Math.min(...[across, down].map((count) => Math.floor(count) / count || 1));
      const longer = Math.max(width, height);
      sent = shrink(sent, { longest: Math.min(longer - 1, longer * scale * whole) });
    }
    return sent;
  };
  return { tokens, sizeFor };
}

/** The largest size of this shape with sides of at most `longest` pixels. */
function shrink(
  { width, height }: PictureSize,
  { longest }: { readonly longest: number },
): PictureSize {
  const scale = Math.min(1, longest / Math.max(width, height));
  return {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  };
}

function fixed(count: number, longest: number): PictureRules {
  return { tokens: () => count, sizeFor: (size) => shrink(size, { longest }) };
}

function times(factor: number, rules: PictureRules): PictureRules {
  return { sizeFor: rules.sizeFor, tokens: (size) => Math.ceil(rules.tokens(size) * factor) };
}

function atLeast(least: number, rules: PictureRules): PictureRules {
  return { sizeFor: rules.sizeFor, tokens: (size) => Math.max(least, rules.tokens(size)) };
}

/** OpenAI: fitted into 2,048, then the shorter side to 768; a base, and so much for each tile of 512. */
function openAiTiles(base: number, tile: number): PictureRules {
  const sizeFor = (size: PictureSize): PictureSize => {
    const inside = shrink(size, { longest: 2_048 });
    const scale = Math.min(1, 768 / Math.min(inside.width, inside.height));
    return shrink(inside, { longest: Math.max(inside.width, inside.height) * scale });
  };
  const tokens = (size: PictureSize): number => {
    const { width, height } = sizeFor(size);
    return base + tile * Math.ceil(width / 512) * Math.ceil(height / 512);
  };
  return { sizeFor, tokens };
}

/** Gemini before 3: one tile for small pictures, else tiles by the shorter side. */
const GEMINI_TILES: PictureRules = {
  sizeFor: (size) => shrink(size, { longest: 2_048 }),
  tokens: ({ width, height }) => {
    if (width <= 384 && height <= 384) return 258;
    const unit = Math.floor(Math.min(width, height) / 1.5);
    const edge = Math.min(768, Math.max(256, unit));
    return 258 * Math.ceil(width / edge) * Math.ceil(height / edge);
  },
};

/** Pixtral: a token for each patch, and one at the end of each row. */
const PIXTRAL: PictureRules = {
  sizeFor: (size) => shrink(size, { longest: 1_540 }),
  tokens: ({ width, height }) => (Math.ceil(width / 28) + 1) * Math.ceil(height / 28),
};

/** MiniCPM-V: an overview and up to nine slices, 64 tokens each. */
const MINICPM: PictureRules = {
  sizeFor: (size) => shrink(size, { longest: 1_344 }),
  tokens: ({ width, height }) => {
    const slices = Math.min(9, Math.ceil((width * height) / (448 * 448)));
    return 64 * (slices > 1 ? slices + 1 : 1);
  },
};

const QWEN = /qwen.*vl|qwen3\.[5-9]|qwen[4-9]/;
const OPENAI_PATCHES = patches(32, { most: 1_536, longest: 2_048 });
const UNKNOWN = atLeast(1_024, patches(28, { most: 1_600, longest: 1_280 }));

/** The first that matches counts. */
const FAMILIES: readonly (readonly [RegExp, PictureRules])[] = [
  // The limits of all its models; later ones would take more, at more tokens.
  [/claude/, patches(28, { most: 1_568, longest: 1_568 })],
  [/gemini-?[12](?:\.|-|$)/, GEMINI_TILES],
  [/gemini/, fixed(1_120, 2_048)],
  [/gpt-4o-mini/, openAiTiles(2_833, 5_667)],
  [/gpt-4(?:o|\.1|\.5)(?!.*(?:mini|nano))|gpt-4-turbo/, openAiTiles(85, 170)],
  [/gpt-5(?:-chat.*|-2\d{3}.*|\.1.*)?$/, openAiTiles(70, 140)],
  [/(?:^|\/)o[13](?:$|-(?:pro|2))/, openAiTiles(75, 150)],
  [/o4-mini/, times(1.72, OPENAI_PATCHES)],
  [/gpt-.*mini/, times(1.62, OPENAI_PATCHES)],
  [/gpt-.*nano/, times(2.46, OPENAI_PATCHES)],
  [/gpt-[4-9]/, OPENAI_PATCHES],
  [/qwen2.*vl/, patches(28, { most: 1_280, longest: 1_568 })],
  [QWEN, patches(32, { most: 1_280, longest: 1_568 })],
  [/gemma-?3/, fixed(256, 896)],
  [/gemma-?4/, fixed(280, 896)],
  [/pixtral|mistral-(?:small|medium|large)|ministral|magistral|devstral/, PIXTRAL],
  [/minicpm-?v|minicpm-?o/, MINICPM],
  [/moondream/, fixed(729, 756)],
  [/llava-?v?1\.[67]|llava-next|granite.*vision/, fixed(2_880, 672)],
  [/llava/, fixed(576, 672)],
];
