/** Bytes of a text in GB18030, by turning the decoder that Node has around; two-byte letters only. */
export function encodeGb18030(text: string): Buffer {
  const decoder = new TextDecoder('gb18030');
  table ??= (() => {
    const made = new Map<string, readonly [number, number]>();
    for (let lead = 0x81; lead <= 0xfe; lead += 1) {
      for (let trail = 0x40; trail <= 0xfe; trail += 1) {
        if (trail === 0x7f) continue;
        const letter = decoder.decode(Uint8Array.of(lead, trail));
        if ([...letter].length === 1 && !made.has(letter)) made.set(letter, [lead, trail]);
      }
    }
    return made;
  })();
  const known = table;
  return Buffer.from(
    [...text].flatMap((letter) =>
      letter.charCodeAt(0) < 0x80 ? [letter.charCodeAt(0)] : [...(known.get(letter) ?? [0x3f])],
    ),
  );
}

let table: Map<string, readonly [number, number]> | undefined;
