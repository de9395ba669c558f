import type JSZip from 'jszip';

export type Part = readonly [name: string, content: string | Uint8Array];

/** The oldest time that a zip file can name: the same parts give the same bytes. */
const DATE = new Date(Date.UTC(1980, 0, 1));
/** Packed already: little is gained by more work. */
const PACKED = /\.(?:png|jpe?g|xlsx)$/;

/** A zip file of these parts, in their order. There are no entries of folders: PowerPoint takes them for damage. */
export async function zipParts(parts: readonly Part[]): Promise<Buffer> {
  const zip = await newZip();
  for (const [name, content] of parts) {
    const level = PACKED.test(name) ? 1 : 6;
    zip.file(name, content, {
      ...{ date: DATE, createFolders: false, binary: typeof content !== 'string' },
      ...{ compression: 'DEFLATE', compressionOptions: { level } },
    });
  }
  return await zip.generateAsync({ type: 'nodebuffer' });
}

/** The parts of a zip file, without folders. Throws on what is no zip file. */
export async function unzipParts(bytes: Uint8Array): Promise<Map<string, Uint8Array>> {
  const zip = await (await newZip()).loadAsync(bytes);
  const parts = new Map<string, Uint8Array>();
  for (const entry of Object.values(zip.files)) {
    if (!entry.dir) parts.set(entry.name, await entry.async('uint8array'));
  }
  return parts;
}

async function newZip(): Promise<JSZip> {
  const { default: Zip } = await import('jszip');
  return new Zip();
}
