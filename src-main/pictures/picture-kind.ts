/** The formats of pictures that are decoded. */
export const PICTURE_KINDS = [
  ...(['png', 'jpeg', 'webp', 'gif', 'bmp', 'tiff', 'svg', 'heic', 'avif'] as const),
] as const;
export type PictureKind = (typeof PICTURE_KINDS)[number];

const PICTURE_NAME = /\.(?:png|jpe?g|jfif|webp|gif|bmp|dib|tiff?|svg|hei[cf]|avif)$/i;

/** Whether a file says by its name that it is a picture. */
export function isPictureName(name: string): boolean {
  return PICTURE_NAME.test(name);
}

/** Brands of HEIF files (ISO 23008-12), by the codec that they use. */
const HEIC_BRANDS = ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1'];
const AVIF_BRANDS = ['avif', 'avis'];
/** How much of a file says its format; the first element of an SVG is searched in this. */
export const PICTURE_HEAD_BYTES = 4_096;

/** The format of a file, by its first bytes alone; null if it is not a picture of a known format. */
export function pictureKind(bytes: Uint8Array): PictureKind | null {
  const head = Buffer.from(
    bytes.buffer,
    bytes.byteOffset,
    Math.min(bytes.length, PICTURE_HEAD_BYTES),
  );
  const starts = (text: string, at = 0): boolean =>
    head.toString('latin1', at, at + text.length) === text;
  if (starts('\x89PNG\r\n\x1a\n')) return 'png';
  if (starts('\xff\xd8\xff')) return 'jpeg';
  if (starts('GIF87a') || starts('GIF89a')) return 'gif';
  if (starts('RIFF') && starts('WEBP', 8)) return 'webp';
  if (starts('II*\0') || starts('MM\0*')) return 'tiff';
  // "BM" alone begins many texts: four zero bytes follow the size of a bitmap.
  if (starts('BM') && head.length > 26 && head.readUInt32LE(6) === 0) return 'bmp';
  if (starts('ftyp', 4)) return brandOf(head);
  return isSvg(head.toString('utf8')) ? 'svg' : null;
}

/** What may stand before the first element, each to its first end: a comment in two ways would be a bomb. */
const BEFORE_SVG = /<!--[\s\S]*?-->\s*|<!DOCTYPE svg[^[>]*(?:\[[\s\S]*?\])?>\s*/iy;

function isSvg(head: string): boolean {
  let at = /^\ufeff?\s*(?:<\?xml[^>]*>\s*)?/i.exec(head)?.[0].length ?? 0;
  for (;;) {
    BEFORE_SVG.lastIndex = at;
    if (!BEFORE_SVG.test(head)) return /^<svg[\s>]/i.test(head.slice(at));
    at = BEFORE_SVG.lastIndex;
  }
}

function brandOf(head: Buffer): PictureKind | null {
  const end = Math.min(head.readUInt32BE(0), head.length, 256);
  const brands: string[] = [head.toString('latin1', 8, 12)];
  for (let at = 16; at + 4 <= end; at += 4) brands.push(head.toString('latin1', at, at + 4));
  if (brands.some((brand) => AVIF_BRANDS.includes(brand))) return 'avif';
  return brands.some((brand) => HEIC_BRANDS.includes(brand)) ? 'heic' : null;
}
