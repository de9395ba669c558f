import { ImageOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { chatStrings } from '../../strings/chat.ts';
import { ChatLink } from './chat-link.tsx';
import { classifyTarget } from './safe-url.ts';
import { useTask } from './task-context.ts';
import { useWorkspaceFile } from './use-workspace-file.ts';

/** An image in a model's text. Only files of the workspace and inline data are shown. */
export function ChatImage({ src, alt }: { readonly src: string; readonly alt: string }): ReactNode {
  const task = useTask();
  const target = classifyTarget(src);
  switch (target.kind) {
    case 'workspace':
      return <WorkspaceImage path={target.path} alt={alt} version={task.versionOf(target.path)} />;
    case 'inline-image':
      return <img className="chat-image" src={target.url} alt={alt} />;
    case 'web':
      return (
        <span className="image-placeholder">
          <ImageOff aria-hidden="true" size={18} />
          <span>
            {alt !== '' && <strong>{alt}</strong>}
            <span className="muted">{chatStrings.remoteImage}</span>
            <ChatLink href={target.url}>{target.url}</ChatLink>
          </span>
        </span>
      );
    case 'mail':
    case 'refused':
      return <span className="refused-link">{alt}</span>;
  }
}

/** A picture from the workspace; pressing it shows the file on the computer side. */
export function WorkspaceImage({
  path,
  alt,
  version,
}: {
  readonly path: string;
  readonly alt: string;
  readonly version: number;
}): ReactNode {
  const task = useTask();
  const file = useWorkspaceFile(task.threadId, path, version);
  switch (file.phase) {
    case 'loading':
      return <span className="chat-image-loading" role="status" aria-label={alt || path} />;
    case 'failed':
      return (
        <span className="image-placeholder">
          <ImageOff aria-hidden="true" size={18} />
          <span className="muted">{chatStrings.missingImage(path)}</span>
        </span>
      );
    case 'ready':
      return (
        <button
          type="button"
          className="chat-image-button"
          aria-label={chatStrings.openImage(path)}
          onClick={() => task.openFile(path)}
        >
          <img className="chat-image" src={file.content.url} alt={alt || path} />
        </button>
      );
  }
}
