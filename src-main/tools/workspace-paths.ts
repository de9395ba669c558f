/** Models name files by the path inside the sandbox; the workspace takes relative ones. */
export function insideWorkspace(path: string): string {
  const relative = path.replace(/^\/workspace(?:\/+|$)/, '');
  return relative === '' ? '.' : relative;
}
