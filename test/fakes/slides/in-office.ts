import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { alikePages } from '#main/slides/office/alike-pages.ts';

/** The program of LibreOffice; null where it is not installed. */
export function findOffice(): string | null {
  const files = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'soffice'));
  return files.find((file) => existsSync(file)) ?? null;
}

/** A presentation as the PDF that LibreOffice makes of it. */
export function pdfOfOffice(office: string, pptx: Uint8Array): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'hyperagent-slides-'));
  try {
    const file = join(folder, 'deck.pptx');
    writeFileSync(file, pptx);
    const profile = `-env:UserInstallation=file://${folder}/profile`;
    execFileSync(office, [profile, '--headless', '--convert-to', 'pdf', '--outdir', folder, file], {
      stdio: 'pipe',
    });
    return readFileSync(join(folder, 'deck.pdf'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** How alike the pages of LibreOffice and ours, a PDF, are: SSIM of pages of 480 × 270 in grey, 1 for the same. */
export async function alikeInOffice(
  office: string,
  pptx: Uint8Array,
  own: Uint8Array,
): Promise<number[]> {
  const { counts, alike } = await alikePages(pdfOfOffice(office, pptx), own);
  if (counts[0] !== counts[1]) throw new Error(`${counts[0]} pages of ${counts[1]}`);
  return [...alike];
}
