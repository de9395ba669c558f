import {
  ChevronRight,
  File,
  FileChartColumn,
  FileCode,
  FileImage,
  FileText,
  type LucideIcon,
  Presentation,
} from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { formatBytes } from '../../format.ts';
import type { FileNode } from '../../store/file-tree.ts';
import type { WorkspaceChange } from '../../store/run-view.ts';
import { computerStrings } from '../../strings/computer.ts';
import { extensionOf, kindOfFile } from './file-kinds.ts';

interface FileTreeProps {
  readonly nodes: readonly FileNode[];
  readonly changes: ReadonlyMap<string, WorkspaceChange>;
  readonly onOpen: (path: string) => void;
}

export function FileTree(props: FileTreeProps): ReactNode {
  return (
    <ul className="file-tree">
      {props.nodes.map((node) => (
        <li key={node.path}>
          {node.kind === 'directory' ? (
            <FolderEntry {...props} node={node} />
          ) : (
            <FileEntry {...props} node={node} />
          )}
        </li>
      ))}
    </ul>
  );
}

function FolderEntry(props: FileTreeProps & { readonly node: FileNode }): ReactNode {
  const { node, changes, onOpen } = props;
  // Hidden folders and those with dependencies start closed.
  const [open, setOpen] = useState(!/^(?:\.|node_modules$|__pycache__$)/.test(node.name));
  return (
    <>
      <button
        type="button"
        className="file-entry"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <ChevronRight className="folder-chevron" aria-hidden="true" size={14} />
        <span className="file-name">{node.name}</span>
      </button>
      {open && node.children.length > 0 && (
        <FileTree nodes={node.children} changes={changes} onOpen={onOpen} />
      )}
    </>
  );
}

const ICONS: Readonly<Record<ReturnType<typeof kindOfFile>, LucideIcon>> = {
  image: FileImage,
  table: FileChartColumn,
  code: FileCode,
  text: FileText,
  slides: Presentation,
  other: File,
};

function FileEntry(props: FileTreeProps & { readonly node: FileNode }): ReactNode {
  const { node, changes, onOpen } = props;
  const Icon = ICONS[kindOfFile(extensionOf(node.name))];
  const change = changes.get(node.path);
  const isNews = change !== undefined && change.origin !== 'attachment';
  return (
    <button type="button" className="file-entry" onClick={() => onOpen(node.path)}>
      <Icon aria-hidden="true" size={14} />
      <span className="file-name">{node.name}</span>
      {isNews && change.operation !== 'delete' && (
        <span
          className="tag"
          data-tone="accent"
          title={change.writers > 1 ? computerStrings.byOneOf(change.writers) : undefined}
        >
          {change.operation === 'create' ? computerStrings.created : computerStrings.modified}
        </span>
      )}
      <span className="muted file-size">{formatBytes(node.size)}</span>
    </button>
  );
}
