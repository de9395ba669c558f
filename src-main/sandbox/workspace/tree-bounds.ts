/**
 * How deep a workspace is traversed. A program can quickly nest any number of folders; each open one takes a
 * descriptor, and each path contains those before it.
 */
const MAX_DEPTH = 100;
const MAX_PATH_CHARS = 1024;

/** Whether the folder of this prefix (a path with a trailing slash) is nested too deeply. */
export function isTooDeep(prefix: string): boolean {
  if (prefix.length > MAX_PATH_CHARS) return true;
  let depth = 0;
  for (let at = prefix.indexOf('/'); at >= 0; at = prefix.indexOf('/', at + 1)) depth += 1;
  return depth > MAX_DEPTH;
}

/** Whether this many nested folders are too many. */
export function isTooManyFolders(count: number): boolean {
  return count > MAX_DEPTH + 1;
}
