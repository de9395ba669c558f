import type { WorkspaceEntry } from '#contract/workspace.ts';
import type { WorkspaceChange } from './run-view.ts';

export interface FileNode {
  readonly kind: 'file' | 'directory';
  readonly name: string;
  readonly path: string;
  readonly size: number;
  readonly children: readonly FileNode[];
}

interface Folder {
  readonly folders: Map<string, Folder>;
  readonly files: Map<string, number>;
}

/** The workspace as a tree: folders first, then files, each by name. */
export function buildFileTree(entries: readonly WorkspaceEntry[]): readonly FileNode[] {
  const root = newFolder();
  for (const { path, kind, size } of entries) {
    const parts = path.split('/').filter((part) => part !== '');
    const name = parts.pop();
    if (name === undefined) continue;
    const folder = enter(root, parts);
    if (kind === 'directory') enter(folder, [name]);
    else folder.files.set(name, size);
  }
  return nodesOf(root, '');
}

function newFolder(): Folder {
  return { folders: new Map(), files: new Map() };
}

function enter(from: Folder, names: readonly string[]): Folder {
  let folder = from;
  for (const name of names) {
    let inner = folder.folders.get(name);
    if (inner === undefined) {
      inner = newFolder();
      folder.folders.set(name, inner);
    }
    folder = inner;
  }
  return folder;
}

function nodesOf({ folders, files }: Folder, parent: string): readonly FileNode[] {
  const pathOf = (name: string): string => (parent === '' ? name : `${parent}/${name}`);
  const byName = (a: readonly [string, unknown], b: readonly [string, unknown]): number =>
    a[0].localeCompare(b[0], undefined, { numeric: true });
  return [
    ...[...folders].sort(byName).map(([name, folder]): FileNode => {
      const path = pathOf(name);
      return { kind: 'directory', name, path, size: 0, children: nodesOf(folder, path) };
    }),
    ...[...files].sort(byName).map(([name, size]): FileNode => {
      return { kind: 'file', name, path: pathOf(name), size, children: [] };
    }),
  ];
}

/**
 * The listing with the run's later changes applied, so that a file shows at once and not only when
 * the workspace is read again.
 */
export function withChanges(
  entries: readonly WorkspaceEntry[],
  changes: ReadonlyMap<string, WorkspaceChange>,
): readonly WorkspaceEntry[] {
  const byPath = new Map(entries.map((entry) => [entry.path, entry]));
  for (const [path, { operation, size }] of changes) {
    if (operation === 'delete') byPath.delete(path);
    else byPath.set(path, { kind: 'file', modifiedAt: 0, ...byPath.get(path), path, size });
  }
  return [...byPath.values()];
}
