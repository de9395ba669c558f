import { ArrowUp, CornerDownRight, Paperclip, Pause, Square, Undo2 } from 'lucide-react';
import { type ClipboardEvent, type ReactNode, type RefObject, useId, useRef } from 'react';
import { useCommand } from '../../commands-context.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { useApp, useSession } from '../../session-context.ts';
import { type Draft, NEW_TASK } from '../../store/app-state.ts';
import { isSendable } from '../../store/run-actions.ts';
import { blindModel, draftOf, lacksModel, liveRun } from '../../store/selectors.ts';
import { composerStrings } from '../../strings/composer.ts';
import { NetworkPicker } from '../network/network-picker.tsx';
import { AnswerLine, kindOfWords } from './answer-line.tsx';
import { AttachmentChips } from './attachment-chips.tsx';
import { ContextMeter } from './context-meter.tsx';
import { FolderChip, FolderPicker } from './folder-picker.tsx';
import { GrowingTextarea } from './growing-textarea.tsx';
import { LevelPicker } from './level-picker.tsx';
import { ModePicker } from './mode-picker.tsx';
import { ModelPicker } from './model-picker.tsx';
import { NoModelNotice } from './no-model-notice.tsx';
import { PictureNotice } from './picture-notice.tsx';
import { ResearchPicker } from './research-picker.tsx';
import { useAnswering } from './use-answering.ts';
import { useFileDrop } from './use-file-drop.ts';
import { useSuggestions } from './use-suggestions.tsx';

/** The message box, with everything that can be chosen for a message. */
export function Composer({
  threadId,
  inputRef,
}: {
  readonly threadId: string | null;
  readonly inputRef: RefObject<HTMLTextAreaElement | null>;
}): ReactNode {
  const { drafts, models, runs, settings } = useSession();
  const key = threadId ?? NEW_TASK;
  const draft = useApp((state) => draftOf(state, key));
  const live = useApp((state) => liveRun(state, threadId));
  const sending = useApp((state) => state.sending.has(key));
  const picker = useRef<HTMLInputElement>(null);
  const hintId = useId();

  const attach = (files: FileList | null): void => {
    if (files !== null && files.length > 0) drafts.attach(key, [...files]);
  };
  const paste = (event: ClipboardEvent): void => {
    if (event.clipboardData.files.length === 0) return;
    event.preventDefault();
    attach(event.clipboardData.files);
  };
  const dropping = useFileDrop(attach);
  const answering = useAnswering(threadId, draft);
  const target = answering === null || answering.isNext ? null : answering.target;
  const needsModel = useApp((state) => lacksModel(state, threadId, draft)) && target === null;
  const firstChoice = useRef<HTMLButtonElement>(null);
  const suggestions = useSuggestions({
    threadId,
    draftKey: key,
    text: draft.text,
    input: inputRef,
  });
  const submit = (): void => {
    if (needsModel) {
      firstChoice.current?.focus();
      // A server may have been started since.
      void settings.refreshServers();
    } else if (target === null || threadId === null) void runs.send(threadId);
    else if (answering?.isRefused !== true) void runs.answer(threadId, target);
  };

  return (
    <section className="composer" data-dropping={dropping} aria-label={composerStrings.label}>
      {threadId !== null && <QueuedMessage threadId={threadId} />}
      <div className="composer-box">
        {answering !== null && <AnswerLine answering={answering} draft={draft} />}
        <AttachmentChips draftKey={key} attachments={draft.attachments} />
        <FolderChip draftKey={key} folder={draft.folder} />
        {needsModel && (
          <NoModelNotice
            draftKey={key}
            firstButton={firstChoice}
            onChoose={() => models.pick(true)}
          />
        )}
        <PictureNotice threadId={threadId} draftKey={key} draft={draft} />
        <GrowingTextarea
          ref={inputRef}
          value={draft.text}
          label={composerStrings.label}
          describedBy={hintId}
          placeholder={
            target === null
              ? placeholderFor(threadId, live !== null)
              : composerStrings.during.placeholders[kindOfWords(target)]
          }
          disabled={sending}
          {...suggestions.field}
          onSubmit={submit}
          onPaste={paste}
        />
        {suggestions.list}
        <span id={hintId} className="visually-hidden">
          {composerStrings.sendHint}
        </span>
        <div className="composer-bar">
          <IconButton label={composerStrings.attach} onClick={() => picker.current?.click()}>
            <Paperclip aria-hidden="true" size={16} />
          </IconButton>
          <input
            ref={picker}
            type="file"
            multiple
            hidden
            tabIndex={-1}
            aria-label={composerStrings.attach}
            onChange={(event) => {
              attach(event.target.files);
              // The same file may be picked again.
              event.target.value = '';
            }}
          />
          <FolderPicker threadId={threadId} draftKey={key} />
          <ModePicker mode={draft.mode} onChange={(mode) => drafts.change(key, { mode })} />
          {draft.mode === 'research' && <ResearchPicker draftKey={key} draft={draft} />}
          <span className="spacer" />
          <LevelPicker threadId={threadId} draftKey={key} draft={draft} />
          <NetworkPicker threadId={threadId} draftKey={key} draft={draft} />
          <ContextMeter threadId={threadId} />
          <ModelPicker threadId={threadId} draftKey={key} draft={draft} />
          <SendButtons
            threadId={threadId}
            draft={draft}
            runId={live?.id ?? null}
            busy={sending || (target !== null && answering?.isRefused === true)}
            answerLabel={target === null ? null : composerStrings.during.send[kindOfWords(target)]}
            onSend={submit}
          />
        </div>
      </div>
      {dropping && <div className="composer-drop">{composerStrings.dropHere}</div>}
    </section>
  );
}

function placeholderFor(threadId: string | null, live: boolean): string {
  if (live) return composerStrings.queuePlaceholder;
  return threadId === null ? composerStrings.placeholder : composerStrings.followUp;
}

function SendButtons({
  threadId,
  draft,
  runId,
  busy,
  answerLabel,
  onSend,
}: {
  readonly threadId: string | null;
  readonly draft: Draft;
  readonly runId: string | null;
  readonly busy: boolean;
  /** What sending does to an open question; null where it sends a message. */
  readonly answerLabel: string | null;
  readonly onSend: () => void;
}): ReactNode {
  const { runs } = useSession();
  const canSend = isSendable(draft) && !busy;
  const isBlind = useApp((state) => blindModel(state, threadId, draft) !== null);
  const usual = runId === null ? composerStrings.send : composerStrings.queueIt;
  const sendLabel = answerLabel ?? (isBlind ? composerStrings.sendBlind : usual);
  const isPausing = useApp((state) => runId !== null && state.pausing.has(runId));
  const isWorking = useApp(
    (state) => runId !== null && state.runs.get(runId)?.status === 'running',
  );
  useCommand('stop', runId === null ? null : () => void runs.cancel(runId));
  return (
    <>
      {runId !== null && isWorking && (
        <IconButton
          label={isPausing ? composerStrings.pausing : composerStrings.pause}
          className="stop-button"
          disabled={isPausing}
          onClick={() => void runs.pause(runId)}
        >
          <Pause aria-hidden="true" size={13} />
        </IconButton>
      )}
      {runId !== null && (
        <IconButton
          label={composerStrings.stop}
          command="stop"
          className="stop-button"
          onClick={() => void runs.cancel(runId)}
        >
          <Square aria-hidden="true" size={12} fill="currentColor" />
        </IconButton>
      )}
      {(runId === null || draft.text.trim() !== '') && (
        <IconButton
          label={sendLabel}
          variant="primary"
          className="send-button"
          disabled={!canSend}
          onClick={onSend}
        >
          <ArrowUp aria-hidden="true" size={16} />
        </IconButton>
      )}
    </>
  );
}

/** The message that is sent when the run ends. */
function QueuedMessage({ threadId }: { readonly threadId: string }): ReactNode {
  const { runs } = useSession();
  const queued = useApp((state) => state.queued.get(threadId) ?? null);
  if (queued === null) return null;
  return (
    <div className="queued">
      <CornerDownRight aria-hidden="true" size={14} />
      <span className="section-label">{composerStrings.queued}</span>
      <span className="queued-text">{queued.text}</span>
      <Button size="small" variant="ghost" onClick={() => runs.unqueue(threadId)}>
        <Undo2 aria-hidden="true" size={14} />
        {composerStrings.unqueue}
      </Button>
    </div>
  );
}
