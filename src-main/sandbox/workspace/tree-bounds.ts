/**
 * How far down a workspace is gone into. A program makes folders in folders without end in no time; each
 * that is entered is held by a descriptor, and each name carries the path before it.
 */
const MAX_DEPTH = 100;
const MAX_PATH_CHARS = 1024;

/** Whether the folder of this prefix (a path with a slash at its end) lies too deep to be gone into. */
export function isTooDeep(prefix: string): boolean {
  if (prefix.length > MAX_PATH_CHARS) return true;
  let depth = 0;
  for (let at = prefix.indexOf('/'); at >= 0; at = prefix.indexOf('/', at + 1)) depth += 1;
  return depth > MAX_DEPTH;
}

/** Whether that many folders, one in the other, are more than are gone into. */
export function isTooManyFolders(count: number): boolean {
  return count > MAX_DEPTH + 1;
}
