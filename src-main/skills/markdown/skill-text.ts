import type { SkillFile } from './skill-folder.ts';

const SCRIPT_ENDINGS =
  /\.(?:py|sh|bash|zsh|js|mjs|cjs|ts|mts|rb|pl|php|lua|r|ps1|psm1|bat|cmd|exe|jar)$/i;

/** The bytes as text; null where they are not UTF-8, or contain zero bytes. */
export function textOf(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // Not UTF-8.
    return null;
  }
}

/** Whether a file looks like a program. */
export function isScript({ path, bytes }: SkillFile): boolean {
  const isMagic = bytes.subarray(0, 2).toString('latin1') === '#!';
  const isElf = bytes.subarray(0, 4).toString('latin1') === '\x7fELF';
  return SCRIPT_ENDINGS.test(path) || isMagic || isElf;
}
