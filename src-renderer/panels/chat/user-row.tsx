import { Folder, Paperclip, Pencil, StepForward } from 'lucide-react';
import { type FormEvent, memo, type ReactNode, useState } from 'react';
import type { Message, Run } from '#contract/entities.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { useTask } from '../../components/markdown/task-context.ts';
import { WorkspaceImage } from '../../components/markdown/workspace-image.tsx';
import { formatBytes } from '../../format.ts';
import { useSession } from '../../session-context.ts';
import { appStrings } from '../../strings/app.ts';
import { chatStrings } from '../../strings/chat.ts';
import { folderStrings } from '../../strings/user-folder.ts';

const IMAGE_NAME = /\.(?:png|jpe?g|gif|webp|svg)$/i;

/** The user's message, verbatim, with its attachments. */
export const UserRow = memo(function UserRow({
  run,
  message,
}: {
  readonly run: Run;
  readonly message: Message | null;
}): ReactNode {
  const attachments = message?.attachments ?? [];
  const [edits, setEdits] = useState(false);
  if (run.origin?.kind === 'retry') {
    return (
      <p className="note">
        <StepForward aria-hidden="true" size={14} />
        <span className="note-title">{chatStrings.triedAgain}</span>
      </p>
    );
  }
  if (edits) return <EditMessage run={run} onDone={() => setEdits(false)} />;
  return (
    <div className="user-turn">
      <h2 className="visually-hidden">{chatStrings.you}</h2>
      {attachments.length > 0 && (
        <ul className="attachment-list">
          {attachments.map((file) => (
            <li key={file.path}>
              <Attachment {...file} />
            </li>
          ))}
        </ul>
      )}
      <div className="user-line">
        <IconButton
          label={chatStrings.edit}
          size="small"
          className="user-edit"
          onClick={() => setEdits(true)}
        >
          <Pencil aria-hidden="true" size={13} />
        </IconButton>
        <p className="user-text">{message?.content ?? run.prompt}</p>
      </div>
    </div>
  );
});

/** Edits the message: the new one runs in a new task, and this task keeps its history. */
function EditMessage({
  run,
  onDone,
}: {
  readonly run: Run;
  readonly onDone: () => void;
}): ReactNode {
  const { runs } = useSession();
  const [text, setText] = useState(run.prompt);
  const [sending, setSending] = useState(false);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (text.trim() === '') return;
    setSending(true);
    await runs.edit(run.id, text.trim());
    setSending(false);
    onDone();
  };
  return (
    <form className="user-turn user-editing" onSubmit={(event) => void submit(event)}>
      <textarea
        className="text-input growing"
        aria-label={chatStrings.edit}
        // biome-ignore lint/a11y/noAutofocus: the user asked for this field just now
        autoFocus
        rows={Math.min(10, text.split('\n').length + 1)}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onDone();
        }}
      />
      <p className="muted">{chatStrings.editHint}</p>
      <div className="row">
        <Button
          type="submit"
          size="small"
          variant="primary"
          disabled={sending || text.trim() === ''}
        >
          {chatStrings.editRun}
        </Button>
        <Button size="small" variant="ghost" onClick={onDone}>
          {appStrings.cancel}
        </Button>
      </div>
    </form>
  );
}

function Attachment({ name, path, size, folder }: Message['attachments'][number]): ReactNode {
  const task = useTask();
  if (folder !== undefined) {
    return (
      <span className="attachment">
        <Folder aria-hidden="true" size={14} />
        <span className="attachment-name">{name}</span>
        <span className="muted">
          {formatBytes(size)} · {folderStrings.inMessage[folder]}
        </span>
      </span>
    );
  }
  if (IMAGE_NAME.test(name)) return <WorkspaceImage path={path} alt={name} version={0} />;
  return (
    <button type="button" className="attachment" onClick={() => task.openFile(path)}>
      <Paperclip aria-hidden="true" size={14} />
      <span className="attachment-name">{name}</span>
      <span className="muted">{formatBytes(size)}</span>
    </button>
  );
}
