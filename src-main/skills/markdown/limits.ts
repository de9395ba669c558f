export const SKILL_FILE = 'SKILL.md';
/** Bytes of SKILL.md that are read at startup; its front matter must end within them. */
export const HEAD_BYTES = 64 * 1024;
/** Bytes of a file that a model may be given. */
export const READ_BYTES = 100 * 1024;
export const MOST_FILES = 500;
/** Bytes of all files of a folder together. */
export const MOST_BYTES = 10 * 1024 * 1024;
