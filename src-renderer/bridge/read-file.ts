/** The bytes of a file as base64. Rejects when the file cannot be read. */
export function readAsBase64(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    // A data URL is the quickest way: the browser encodes outside of JavaScript.
    reader.onload = () => {
      const url = String(reader.result);
      resolve(url.slice(url.indexOf(',') + 1));
    };
    reader.onerror = () => reject(reader.error ?? new Error('The file cannot be read'));
    reader.readAsDataURL(file);
  });
}

/** The text of a file; null when it cannot be read. */
export async function readAsText(file: Blob): Promise<string | null> {
  try {
    return await file.text();
  } catch {
    // The file is gone or unreadable: the caller reports it.
    return null;
  }
}

const SKILL_FILES = 500;
const SKILL_BYTES = 10 * 1024 * 1024;
/** Bookkeeping of other tools, which is no part of a skill. */
const NOT_PART = /(?:^|\/)(?:\.git\/|\.DS_Store$|Thumbs\.db$)/;

/** The files of a folder that the user picked, as a skill; null where one cannot be read, or they are too many. */
export async function readAsSkill(
  files: readonly File[],
): Promise<{ path: string; data: string }[] | null> {
  const parts = files.filter(({ webkitRelativePath: path }) => !NOT_PART.test(path));
  const bytes = parts.reduce((sum, { size }) => sum + size, 0);
  if (parts.length > SKILL_FILES || bytes > SKILL_BYTES) return null;
  try {
    return await Promise.all(
      parts.map(async (file) => ({
        path: file.webkitRelativePath || file.name,
        data: await readAsBase64(file),
      })),
    );
  } catch {
    // A file that was removed or may not be read: the user is shown that the folder cannot be.
    return null;
  }
}
