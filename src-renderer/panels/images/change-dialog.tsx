import { Brush } from 'lucide-react';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { IMAGE_PROMPT_CHARS } from '#contract/images.ts';
import { makeVisible } from '#contract/visible-text.ts';
import { useAnnounce } from '../../components/announcer.tsx';
import { Button } from '../../components/button.tsx';
import { Modal } from '../../components/modal.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { useKept } from '../../components/use-kept.ts';
import { VisibleText } from '../../components/visible-text.tsx';
import { useApp, useSession } from '../../session-context.ts';
import { changeOrder, type PixelSize } from '../../store/image-orders.ts';
import type { Mark, Rectangle } from '../../store/mask-marks.ts';
import { liveRun } from '../../store/selectors.ts';
import type { Session } from '../../store/session.ts';
import { appStrings } from '../../strings/app.ts';
import { imageStrings } from '../../strings/images.ts';
import { drawMask } from './draw-mask.ts';
import type { ImageFileProps } from './image-file.tsx';
import { MaskCanvas } from './mask-canvas.tsx';
import { MaskTools, RectangleMark } from './mask-tools.tsx';
import { Slider } from './slider.tsx';

const words = imageStrings.dialog;

/** What is wanted of a picture, until it is sent. */
interface Wanted {
  readonly request: string;
  readonly marks: readonly Mark[];
  /** Percent; 0 leaves it to the server. */
  readonly strength: number;
}

const NOTHING: Wanted = { request: '', marks: [], strength: 0 };
/** Percent of the shorter edge. */
const USUAL_BRUSH = 12;

interface ChangeDialogProps extends ImageFileProps {
  readonly alt: string;
  /** Null where the picture cannot be shown. */
  readonly size: PixelSize | null;
  readonly onClose: () => void;
}

/** Changes a picture, or what is marked of it, by words. What was typed and marked stays when it is closed. */
export function ChangeDialog(props: ChangeDialogProps): ReactNode {
  const { threadId, path, name, version, size, onClose } = props;
  const session = useSession();
  const announce = useAnnounce();
  const [wanted, setWanted] = useKept(`change of ${threadId} ${path} ${version}`, NOTHING);
  const [share, setShare] = useState(0);
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const isBusy = useApp((state) => liveRun(state, threadId) !== null);
  const { request, strength } = wanted;
  const isReady = request.trim() !== '' && !isBusy && !isSending;
  const id = useId();

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (!isReady) return;
    setSending(true);
    const refusal = await startChange(session, { threadId, path, size, wanted });
    setSending(false);
    setProblem(refusal);
    if (refusal !== null) return;
    setWanted(undefined);
    announce(imageStrings.started);
    onClose();
  };
  return (
    <Modal title={words.title(makeVisible(name))} size="large" onClose={onClose}>
      <form className="change-image" noValidate onSubmit={(event) => void submit(event)}>
        <div className="change-image-body">
          <div className="field">
            <label className="field-label" htmlFor={id}>
              {words.request}
            </label>
            <textarea
              id={id}
              className="text-input growing"
              rows={2}
              maxLength={IMAGE_PROMPT_CHARS}
              aria-describedby={`${id}-scope`}
              value={request}
              onChange={(event) => setWanted({ ...wanted, request: event.target.value })}
            />
            <p className="field-note" id={`${id}-scope`} role="status">
              {share > 0 ? words.partHint(Math.round(share)) : words.wholeHint}
            </p>
          </div>
          {size === null ? (
            <p className="muted">{words.unreadable}</p>
          ) : (
            <Marking
              {...props}
              size={size}
              marks={wanted.marks}
              onMarks={(marks) => setWanted({ ...wanted, marks })}
              onShare={setShare}
            />
          )}
          <Slider
            label={words.strength}
            hint={words.strengthHint}
            value={strength}
            {...{ min: 0, max: 100, step: 5 }}
            valueText={strength === 0 ? words.automatic : `${strength}%`}
            onValue={(value) => setWanted({ ...wanted, strength: value })}
          />
        </div>
        {problem !== null && (
          <p className="banner" data-tone="danger" role="alert">
            <VisibleText text={problem} />
          </p>
        )}
        <div className="change-image-actions">
          {isBusy && <span className="muted">{imageStrings.busy}</span>}
          <Button onClick={onClose}>{appStrings.cancel}</Button>
          <Button type="submit" variant="primary" disabled={!isReady}>
            {isSending ? <Spinner /> : <Brush aria-hidden="true" size={14} />}
            {isSending ? words.sending : words.submit}
          </Button>
        </div>
      </form>
    </Modal>
  );
}

interface MarkingProps extends Pick<ChangeDialogProps, 'url' | 'alt'> {
  readonly size: PixelSize;
  readonly marks: readonly Mark[];
  readonly onMarks: (marks: readonly Mark[]) => void;
  readonly onShare: (percent: number) => void;
}

function Marking({ url, alt, size, marks, onMarks, onShare }: MarkingProps): ReactNode {
  const announce = useAnnounce();
  const [isErasing, setErasing] = useState(false);
  const [brush, setBrush] = useState(USUAL_BRUSH);
  const [outline, setOutline] = useState<Rectangle | null>(null);
  const brushWidth = Math.max(1, Math.round((brush / 100) * Math.min(size.width, size.height)));
  const hasMarks = marks.length > 0;
  return (
    <section className="change-image-marking" aria-label={words.canvas}>
      <p className="field-note">{words.draw}</p>
      <MaskCanvas
        {...{ url, alt, size, marks, brushWidth, isErasing, outline, onShare }}
        onMark={(mark) => onMarks([...marks, mark])}
      />
      <MaskTools
        {...{ isErasing, brush, brushWidth, hasMarks }}
        onErasing={setErasing}
        onBrush={setBrush}
        onUndo={() => {
          if (!hasMarks) return;
          onMarks(marks.slice(0, -1));
          announce(words.undone);
        }}
        onClear={() => {
          if (!hasMarks) return;
          onMarks([]);
          announce(words.cleared);
        }}
      />
      <RectangleMark
        {...{ size, isErasing }}
        onOutline={setOutline}
        onRectangle={(place) => onMarks([...marks, { kind: 'rectangle', erase: isErasing, place }])}
      />
    </section>
  );
}

interface Change {
  readonly threadId: string;
  readonly path: string;
  readonly size: PixelSize | null;
  readonly wanted: Wanted;
}

/** Starts the run, after its mask was uploaded. Else says why it could not. */
async function startChange(
  { bridge, skills }: Pick<Session, 'bridge' | 'skills'>,
  { threadId, path, size, wanted: { request, marks, strength } }: Change,
): Promise<string | null> {
  let mask: string | null = null;
  try {
    mask = size === null || marks.length === 0 ? null : await drawMask(marks, size);
  } catch {
    // Too large for a canvas here: changing the whole picture is not what the user marked it for.
    return words.maskFailed;
  }
  const attachmentIds: string[] = [];
  let maskPath: string | null = null;
  if (mask !== null) {
    const added = await bridge.request('attachments.add', { name: maskName(), data: mask });
    if (!added.ok) return added.error.message;
    attachmentIds.push(added.data.attachmentId);
    maskPath = added.data.name;
  }
  const skill = changeOrder(path, {
    ...{ request, size, mask: maskPath },
    strength: strength === 0 ? null : strength / 100,
  });
  const { change, changePart } = imageStrings.runs;
  const prompt = (maskPath === null ? change : changePart)(makeVisible(path), request.trim());
  const error = await skills.runInTask(threadId, { prompt, skill, attachmentIds });
  return error?.message ?? null;
}

/** No other file of the workspace has it: main stores an attachment under its own name wherever that is free. */
function maskName(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(8));
  return `mask-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}.png`;
}
