import { AppError } from '#contract/errors.ts';
import { DEFAULT_RESULT_CHARS } from './shorten-result.ts';

/** Maximum bytes of one read. */
export const READ_LIMIT_BYTES = 64 * 1024;
/** Room for the note below them is left: nothing is cut out of the middle of a result. */
export const SHOWN_CHARS = DEFAULT_RESULT_CHARS - 200;

/** Where some bytes are in a text. */
interface Place {
  readonly offset: number;
  /** Bytes of the text as far as it is known. */
  readonly size: number;
  /** In place of the size, where the text goes on after what is known. */
  readonly onward?: string;
}

/** Throws `BAD_REQUEST` for an offset beyond a text. */
export function requireOffset(path: string, { offset, size }: Place): void {
  if (offset === 0 || offset < size) return;
  throw new AppError('BAD_REQUEST', `${path} has ${size} bytes; offset ${offset} is beyond them.`);
}

/** What is read from an offset: as much as a result may hold for the model, and all of one read for programs. */
export function textFrom(
  data: Uint8Array,
  place: Place,
): { readonly content: string; readonly data: string } {
  const part = (most: number): string => textPart(data.subarray(0, most), place);
  const whole = part(READ_LIMIT_BYTES);
  if (whole.length <= DEFAULT_RESULT_CHARS) return { content: whole, data: whole };
  // Characters take up to four bytes; the part with the most of them that fits.
  for (let most = SHOWN_CHARS * 4; most > SHOWN_CHARS; most -= SHOWN_CHARS / 10) {
    const content = part(most);
    if (content.length <= DEFAULT_RESULT_CHARS) return { content, data: whole };
  }
  return { content: part(SHOWN_CHARS), data: whole };
}

/** Bytes from an offset as text, with a note where they are not the whole file. */
function textPart(data: Uint8Array, { offset, size, onward }: Place): string {
  const [first, last] = wholeCharacters(data, { isEnd: offset + data.byteLength >= size, offset });
  const text = new TextDecoder('utf-8', { ignoreBOM: offset > 0 }).decode(
    data.subarray(first, last),
  );
  const [begin, end] = [offset + first, offset + last];
  const isLast = end >= size;
  const rest = isLast && onward === undefined ? 'This is its end.' : `Read on with offset ${end}.`;
  if (begin === 0 && isLast && onward === undefined) return text;
  return `${text}\n[… bytes ${begin} to ${end} of ${onward ?? size}. ${rest} …]`;
}

/** The part of some bytes that begins and ends between characters of UTF-8; all of it where it is none. */
function wholeCharacters(
  data: Uint8Array,
  { isEnd, offset }: { readonly isEnd: boolean; readonly offset: number },
): readonly [first: number, last: number] {
  const isInside = (byte = 0): boolean => (byte & 0xc0) === 0x80;
  let first = 0;
  while (offset > 0 && first < 3 && isInside(data[first])) first += 1;
  if (isEnd) return [first, data.length];
  for (let last = data.length; last > data.length - 4 && last > first + 1; last -= 1) {
    const lead = data[last - 1] ?? 0;
    if (isInside(lead)) continue;
    const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
    return [first, last - 1 + length > data.length ? last - 1 : data.length];
  }
  return [first, data.length];
}
