import { Paperclip } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import type { Message, Run } from '#contract/entities.ts';
import { useTask } from '../../components/markdown/task-context.ts';
import { WorkspaceImage } from '../../components/markdown/workspace-image.tsx';
import { formatBytes } from '../../format.ts';
import { strings } from '../../strings.ts';

const IMAGE_NAME = /\.(?:png|jpe?g|gif|webp|svg)$/i;

/** What the person wrote, as they wrote it, with the files that went along. */
export const UserRow = memo(function UserRow({
  run,
  message,
}: {
  readonly run: Run;
  readonly message: Message | null;
}): ReactNode {
  const attachments = message?.attachments ?? [];
  return (
    <div className="user-turn">
      <h2 className="visually-hidden">{strings.chat.you}</h2>
      {attachments.length > 0 && (
        <ul className="attachment-list">
          {attachments.map((file) => (
            <li key={file.path}>
              <Attachment name={file.name} path={file.path} size={file.size} />
            </li>
          ))}
        </ul>
      )}
      <p className="user-text">{message?.content ?? run.prompt}</p>
    </div>
  );
});

function Attachment({
  name,
  path,
  size,
}: {
  readonly name: string;
  readonly path: string;
  readonly size: number;
}): ReactNode {
  const task = useTask();
  if (IMAGE_NAME.test(name)) return <WorkspaceImage path={path} alt={name} version={0} />;
  return (
    <button type="button" className="attachment" onClick={() => task.openFile(path)}>
      <Paperclip aria-hidden="true" size={14} />
      <span className="attachment-name">{name}</span>
      <span className="muted">{formatBytes(size)}</span>
    </button>
  );
}
