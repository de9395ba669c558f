import { crc32, inflateSync } from 'node:zlib';

const PNG_SIGNATURE = '89504e470d0a1a0a';
/** Unpacked; 16 bytes a pixel at 8,000 × 8,000 would be a gigabyte. */
const MAX_PIXEL_BYTES = 256 * 1024 * 1024;

/** Why a picture does not open, in words; null where it opens. PNG and SVG. */
export function pictureProblem(path: string, bytes: Uint8Array): string | null {
  if (bytes.length === 0) return 'It is empty.';
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const kind = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  if (kind === 'png') return pngProblem(buffer);
  return kind === 'svg' ? svgProblem(buffer.toString('utf8')) : 'It is neither PNG nor SVG.';
}

function pngProblem(data: Buffer): string | null {
  if (data.subarray(0, 8).toString('hex') !== PNG_SIGNATURE) {
    return 'It is no PNG: it begins with other bytes.';
  }
  const pixels: Buffer[] = [];
  let [at, isEnded, isSized] = [8, false, false];
  while (!isEnded && at + 12 <= data.length) {
    const length = data.readUInt32BE(at);
    const end = at + 12 + length;
    if (end > data.length) break;
    const type = data.toString('latin1', at + 4, at + 8);
    if (crc32(data.subarray(at + 4, end - 4)) !== data.readUInt32BE(end - 4)) {
      return `It is damaged: its part ${type} does not fit its checksum.`;
    }
    const body = data.subarray(at + 8, end - 4);
    if (type === 'IHDR') isSized = body.readUInt32BE(0) > 0 && body.readUInt32BE(4) > 0;
    if (type === 'IDAT') pixels.push(body);
    isEnded = type === 'IEND';
    at = end;
  }
  if (!isEnded) return 'It breaks off before its end.';
  if (!isSized || pixels.length === 0) return 'There is no picture in it.';
  try {
    inflateSync(Buffer.concat(pixels), { maxOutputLength: MAX_PIXEL_BYTES });
    return null;
  } catch {
    // The error's code adds nothing to that.
    return 'It is damaged: its pixels cannot be unpacked.';
  }
}

/** Comments, declarations, CDATA, and tags with quoted attributes. */
const MARKUP =
  /<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!\[CDATA\[[\s\S]*?\]\]>|<![^>]*>|<(\/?)([A-Za-z_][\w:.-]*)((?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>|</g;
const BARE_AMPERSAND = /&(?!#\d+;|#x[\da-f]+;|[A-Za-z][\w.]*;)/i;
const SHAPES = /^(?:\w+:)?(?:path|rect|circle|ellipse|line|polyline|polygon|text|image|use)$/;

function svgProblem(text: string): string | null {
  const open: string[] = [];
  let [root, shapes, last] = ['', 0, 0];
  for (const found of text.matchAll(MARKUP)) {
    const [whole, slash, name, , selfClosed] = found;
    if (BARE_AMPERSAND.test(text.slice(last, found.index))) return 'It is no XML: a bare & in it.';
    last = found.index + whole.length;
    if (whole === '<') return `It is no XML: a broken tag at character ${found.index}.`;
    if (name === undefined) continue;
    if (root === '') root = name;
    if (SHAPES.test(name)) shapes += 1;
    if (slash === '/') {
      if (open.pop() !== name) return `It is no XML: </${name}> closes nothing.`;
    } else if (selfClosed !== '/') open.push(name);
  }
  if (!/^(?:\w+:)?svg$/.test(root)) return 'It is no SVG.';
  if (open.length > 0) return `It is no XML: <${open.at(-1)}> is not closed.`;
  return shapes === 0 ? 'Nothing is drawn in it.' : null;
}
