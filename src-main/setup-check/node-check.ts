import type { CheckItem } from '#contract/entities.ts';

/** The runtime of the app. An older one never gets here: the entry points refuse to start on it. */
export function checkNode(versions: NodeJS.ProcessVersions = process.versions): CheckItem {
  const { node, electron } = versions;
  const shell = electron === undefined ? '' : `, Electron ${electron}`;
  return { id: 'node', label: 'Node', status: 'ok', detail: `${node}${shell}`, remedy: null };
}
