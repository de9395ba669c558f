const HEADER_BYTES = 8;
const MEMORY_SECTION = 5;
const PAGE_BYTES = 64 * 1024;

/**
 * The module with at most `bytes` of memory, which the engine itself enforces: asking for more fails inside, as
 * on a machine without it. Throws for a module that is not of the plain kind, with one memory of its own.
 */
export function withMemoryLimit(module: Uint8Array, bytes: number): Uint8Array<ArrayBuffer> {
  const pages = Math.floor(bytes / PAGE_BYTES);
  for (let at = HEADER_BYTES; at < module.length; ) {
    const id = module[at];
    const size = readNumber(module, at + 1);
    const end = size.next + size.value;
    if (id === MEMORY_SECTION) {
      const count = readNumber(module, size.next);
      const flags = readNumber(module, count.next);
      const least = readNumber(module, flags.next);
      // 0 is a memory without a limit, 1 one with: neither shared nor with addresses of 64 bits.
      if (count.value !== 1 || flags.value > 1) break;
      const body = [1, 1, ...writeNumber(least.value), ...writeNumber(pages)];
      const section = [MEMORY_SECTION, ...writeNumber(body.length), ...body];
      return Uint8Array.from(
        Buffer.concat([module.subarray(0, at), Uint8Array.from(section), module.subarray(end)]),
      );
    }
    at = end;
  }
  throw new Error('This WebAssembly module has no memory that can be limited.');
}

/** An unsigned LEB128. */
function readNumber(bytes: Uint8Array, at: number): { value: number; next: number } {
  let value = 0;
  for (let shift = 0; shift < 35; shift += 7) {
    const byte = bytes[at + shift / 7] ?? 0;
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return { value, next: at + shift / 7 + 1 };
  }
  throw new Error('A number of this WebAssembly module is too long.');
}

function writeNumber(value: number): number[] {
  return value < 0x80 ? [value] : [(value % 0x80) + 0x80, ...writeNumber(Math.floor(value / 0x80))];
}
