import type { CheckItem } from '#contract/entities.ts';

/** What runs the app. An older one does not come this far: the doors refuse to start on it. */
export function checkNode(versions: NodeJS.ProcessVersions = process.versions): CheckItem {
  const { node, electron } = versions;
  const shell = electron === undefined ? '' : `, Electron ${electron}`;
  return { id: 'node', label: 'Node', status: 'ok', detail: `${node}${shell}`, remedy: null };
}
