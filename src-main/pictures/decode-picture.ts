import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { IMagickImage, MagickFormat } from '@imagemagick/magick-wasm';
import { AppError } from '#contract/errors.ts';
import { once } from '../base/once.ts';
import { tooLargePicture, unreadablePicture } from './picture-errors.ts';
import type { PictureKind } from './picture-kind.ts';
import { fitWithin } from './sizes.ts';
import type { DecodedPicture, DecodeJob, PictureForm, PictureLimits, Size } from './types.ts';
import { withMemoryLimit } from './wasm-limit.ts';

/** A larger PNG of a photo becomes a JPEG, which models see as well. */
const LARGEST_PNG = 1024 * 1024;
const JPEG_QUALITY = 88;
/** How much larger than wanted a JPEG is decoded: it can be made smaller while it is decoded, roughly. */
const DECODED_AHEAD = 2;

/** Each kind has one decoder: what is inside another kind is never looked for. */
const FORMATS: Readonly<Record<Exclude<PictureKind, 'svg'>, MagickFormat>> = {
  png: 'PNG',
  jpeg: 'JPEG',
  webp: 'WEBP',
  gif: 'GIF',
  bmp: 'BMP',
  tiff: 'TIFF',
  heic: 'HEIC',
  avif: 'AVIF',
};
/** Kinds of drawings and screenshots, which stay sharp as PNG. */
const SHARP_KINDS: ReadonlySet<PictureKind> = new Set(['png', 'gif', 'bmp', 'tiff', 'svg']);

/** Decodes a picture as `job` says. Rejects with `PICTURE_UNREADABLE`, `PICTURE_TOO_LARGE`. */
export type DecodePicture = (bytes: Uint8Array, job: DecodeJob) => Promise<DecodedPicture>;

/**
 * Decodes the first frame of pictures, upright, on white, without metadata. The decoders are loaded by the first
 * one. For use in a process of its own.
 */
export function pictureDecoding(limits: PictureLimits): DecodePicture {
  const load = once(() => loadMagick(limits));
  const loadSvg = once(async () => (await import('./render-svg.ts')).svgRendering(limits));
  return async (bytes, job) => {
    const magick = await load();
    const { kind } = job;
    if (kind !== 'svg') return decodePixels(bytes, { job: { ...job, kind }, limits, magick });
    const render = await loadSvg();
    const { png, original } = render(bytes, job.within);
    return magick.ImageMagick.read(png, magick.MagickFormat.Png, (image) =>
      finish(image, { job, original, magick }),
    );
  };
}

function decodePixels(
  bytes: Uint8Array,
  {
    job,
    limits,
    magick,
  }: {
    readonly job: DecodeJob & { readonly kind: Exclude<PictureKind, 'svg'> };
    readonly limits: PictureLimits;
    readonly magick: Magick;
  },
): DecodedPicture {
  const settings = new magick.MagickReadSettings({ format: FORMATS[job.kind] });
  // A picture is its first frame or page; decoding the others would be work for nothing.
  settings.frameIndex = 0;
  settings.frameCount = 1;
  try {
    const found = magick.MagickImageInfo.create(bytes, settings);
    requireSize(found, limits);
    const goal = fitWithin(found, job.within);
    const edge = DECODED_AHEAD * Math.max(goal.width, goal.height);
    if (Math.max(found.width, found.height) > edge) {
      settings.setDefine(magick.MagickFormat.Jpeg, 'size', `${edge}x${edge}`);
    }
    return magick.ImageMagick.read(bytes, settings, (image) => {
      requireSize(image, limits);
      const isTurned = Number(found.orientation) >= 5;
      const original = isTurned
        ? { width: found.height, height: found.width }
        : { width: found.width, height: found.height };
      image.autoOrient();
      return finish(image, { job, original, magick });
    });
  } catch (error) {
    throw asPictureError(error);
  }
}

type Magick = typeof import('@imagemagick/magick-wasm');

async function loadMagick(limits: PictureLimits): Promise<Magick> {
  const magick = await import('@imagemagick/magick-wasm');
  const { resolve } = createRequire(import.meta.url);
  const file = readFileSync(resolve('@imagemagick/magick-wasm/magick.wasm'));
  await magick.initializeImageMagick(
    new WebAssembly.Module(withMemoryLimit(file, limits.memoryBytes)),
  );
  // One dimension may use up the pixels alone.
  magick.ResourceLimits.width = BigInt(limits.pixels);
  magick.ResourceLimits.height = BigInt(limits.pixels);
  magick.ResourceLimits.area = BigInt(limits.pixels);
  magick.ResourceLimits.disk = 0n;
  return magick;
}

function finish(
  image: IMagickImage,
  { job, original, magick }: { job: DecodeJob; original: Size; magick: Magick },
): DecodedPicture {
  const { MagickColors, MagickFormat, AlphaAction, ColorSpace } = magick;
  image.strip();
  if (image.colorSpace !== ColorSpace.sRGB && image.colorSpace !== ColorSpace.Gray) {
    image.colorSpace = ColorSpace.sRGB;
  }
  image.backgroundColor = MagickColors.White;
  if (image.hasAlpha) image.alpha(AlphaAction.Remove);
  const { width, height } = fitWithin(image, job.within);
  if (width !== image.width || height !== image.height) resize(image, { width, height }, magick);
  const { form = 'usual' } = job;
  if (form !== 'usual') return inForm(image, form, { job, original, magick });
  const isSharp = SHARP_KINDS.has(job.kind);
  const png = isSharp ? image.write(MagickFormat.Png, (data) => Buffer.from(data)) : null;
  const isPng = png !== null && png.length <= LARGEST_PNG;
  image.quality = JPEG_QUALITY;
  const data = isPng ? png : image.write(MagickFormat.Jpeg, (made) => Buffer.from(made));
  const mimeType = isPng ? 'image/png' : 'image/jpeg';
  const preview = previewOf(image, job, magick);
  return { width, height, mimeType, data, original, preview, isBlack: null };
}

/** The brightest that black is, of 1: noise of a few levels is nothing to be seen. */
const BLACK = 0.02;
const WHITE_FROM = 50;

function inForm(
  image: IMagickImage,
  form: Exclude<PictureForm, 'usual'>,
  { job, original, magick }: { job: DecodeJob; original: Size; magick: Magick },
): DecodedPicture {
  const { ColorSpace, MagickColors, MagickFormat, MagickImage, Percentage, Quantum } = magick;
  const { AlphaAction, CompositeOperator } = magick;
  const { width, height } = image;
  const isBlack = image.statistics().composite().maximum <= BLACK * Quantum.max;
  const preview = image.clone((copy) => previewOf(copy, job, magick));
  const png = (made: IMagickImage, format: MagickFormat): Buffer =>
    made.write(format, (data) => Buffer.from(data));
  const result = (data: Buffer): DecodedPicture => ({
    ...{ width, height, original, preview, isBlack, data },
    mimeType: 'image/png',
  });
  if (form === 'exact') return result(png(image, MagickFormat.Png24));
  image.colorSpace = ColorSpace.Gray;
  image.threshold(new Percentage(WHITE_FROM));
  if (form === 'mask') {
    image.colorSpace = ColorSpace.sRGB;
    return result(png(image, MagickFormat.Png24));
  }
  image.negate();
  const clear = MagickImage.create(MagickColors.Black, width, height);
  try {
    clear.alpha(AlphaAction.Set);
    clear.composite(image, CompositeOperator.CopyAlpha);
    return result(png(clear, MagickFormat.Png32));
  } finally {
    clear.dispose();
  }
}

function previewOf(image: IMagickImage, job: DecodeJob, magick: Magick): Uint8Array | null {
  const { previewEdge: edge } = job;
  if (edge === undefined) return null;
  resize(image, fitWithin(image, { width: edge, height: edge }), magick);
  return image.write(magick.MagickFormat.Png, (data) => Buffer.from(data));
}

function resize(image: IMagickImage, { width, height }: Size, { MagickGeometry }: Magick): void {
  const geometry = new MagickGeometry(width, height);
  geometry.ignoreAspectRatio = true;
  image.resize(geometry);
}

function requireSize({ width, height }: Size, limits: PictureLimits): void {
  if (width < 1 || height < 1) throw unreadablePicture('It is an empty picture.');
  if (width * height > limits.pixels) throw tooManyPixels(width * height, limits);
}

function tooManyPixels(pixels: number, limits: PictureLimits): Error {
  const mega = (count: number): string => (count / 1e6).toFixed(count < 1e7 ? 1 : 0);
  return tooLargePicture(
    `It has ${mega(pixels)} megapixels; at most ${mega(limits.pixels)} can be read.`,
  );
}

function asPictureError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof AppError) return error;
  const text = error.message;
  if (/exceeds .*limit|ExceedsLimit|ResourceLimit|CacheResources/i.test(text)) {
    return tooLargePicture('Reading it takes more pixels than allowed.');
  }
  if (/MemoryAllocation|memory access out of bounds|out of memory/i.test(text)) {
    return tooLargePicture('Reading it takes more memory than allowed.');
  }
  return unreadablePicture('It is damaged: its picture cannot be decoded.', error);
}
