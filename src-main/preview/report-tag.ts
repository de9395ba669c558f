import { Transform, type TransformCallback } from 'node:stream';

/** Where the script is served. A page that has its own file there keeps it from nobody but itself. */
export const REPORT_PATH = '/@hyperagent/report.js';
const TAG = Buffer.from(`<script src="${REPORT_PATH}"></script>`);
/** A head that begins later is not waited for: the tag goes in front. */
const SEARCHED_BYTES = 64 * 1024;

/**
 * Puts the tag of the reporting script into an HTML document, before any script of its own: after `<head>`, or where a
 * document without one begins. Bytes are otherwise passed on as they are.
 */
export class ReportTag extends Transform {
  #held: Buffer | null = Buffer.alloc(0);

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    if (this.#held === null) {
      done(null, chunk);
      return;
    }
    this.#held = Buffer.concat([this.#held, chunk]);
    const at = placeOfTag(this.#held, this.#held.length >= SEARCHED_BYTES);
    if (at !== null) this.#insert(at);
    done();
  }

  override _flush(done: TransformCallback): void {
    if (this.#held !== null) this.#insert(placeOfTag(this.#held, true) ?? 0);
    done();
  }

  #insert(at: number): void {
    const held = this.#held ?? Buffer.alloc(0);
    this.#held = null;
    this.push(Buffer.concat([held.subarray(0, at), TAG, held.subarray(at)]));
  }
}

/** The offset in bytes; null while more of the document may decide it. */
function placeOfTag(bytes: Buffer, isWhole: boolean): number | null {
  // One byte a character, so that offsets are those of the bytes.
  const text = bytes.toString('latin1', 0, SEARCHED_BYTES);
  const head = /<head(?:\s[^<>]*)?>/i.exec(text);
  const script = /<script[\s>]/i.exec(text);
  if (head !== null && (script === null || head.index < script.index)) {
    return head.index + head[0].length;
  }
  if (!isWhole && script === null) return null;
  const begins = /^[^<]*<!doctype[^<>]*>/i.exec(text);
  return begins === null ? 0 : begins[0].length;
}
