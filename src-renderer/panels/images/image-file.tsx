import '../../styles/images.css';
import { Brush, ImageUpscale, Repeat, Shuffle } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import type { ImageRecord } from '#contract/images.ts';
import { makeVisible } from '#contract/visible-text.ts';
import { Button, type ButtonProps } from '../../components/button.tsx';
import { Tip } from '../../components/tip.tsx';
import { useRunInTask } from '../../components/use-run-in-task.ts';
import { useSession } from '../../session-context.ts';
import { largerOrder, type PixelSize, repeatOrder } from '../../store/image-orders.ts';
import { imageStrings as words } from '../../strings/images.ts';
import { ImageFacts } from './image-facts.tsx';

export interface ImageFileProps {
  readonly threadId: string;
  readonly path: string;
  readonly name: string;
  /** Changes whenever the file does. */
  readonly version: string;
  /** Address of its bytes in this window. */
  readonly url: string;
}

const ChangeDialog = lazy(() =>
  import('./change-dialog.tsx').then((module) => ({ default: module.ChangeDialog })),
);

/** A picture of a task: what it was made from, and what can be made of it. */
export function ImageFile({ threadId, path, name, version, url }: ImageFileProps): ReactNode {
  const record = useImageRecord(threadId, path, version);
  const [size, setSize] = useState<PixelSize | null>(null);
  const [isChanging, setChanging] = useState(false);
  const alt = makeVisible(record?.alt || name);
  return (
    <div className="image-file">
      <img
        className="file-image"
        src={url}
        alt={alt}
        onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) =>
          setSize({ width, height })
        }
        onError={() => setSize(null)}
      />
      <ImageActions {...{ threadId, path, record }} onChange={() => setChanging(true)} />
      {record !== null && <ImageFacts record={record} />}
      {isChanging && (
        <Suspense fallback={null}>
          <ChangeDialog
            {...{ threadId, path, name, version, url, alt, size }}
            onClose={() => setChanging(false)}
          />
        </Suspense>
      )}
    </div>
  );
}

/** How a picture was made; null while that is not known, and for a picture from elsewhere. */
function useImageRecord(threadId: string, path: string, version: string): ImageRecord | null {
  const { bridge } = useSession();
  const [record, setRecord] = useState<ImageRecord | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version may have another record
  useEffect(() => {
    let isLeft = false;
    void bridge.request('images.open', { threadId, path }).then((result) => {
      // Without its record it is still a picture.
      if (!isLeft) setRecord(result.ok ? result.data.record : null);
    });
    return () => {
      isLeft = true;
    };
  }, [bridge, threadId, path, version]);
  return record;
}

interface ImageActionsProps {
  readonly threadId: string;
  readonly path: string;
  readonly record: ImageRecord | null;
  readonly onChange: () => void;
}

function ImageActions({ threadId, path, record, onChange }: ImageActionsProps): ReactNode {
  const { isBusy, start } = useRunInTask(threadId, words.started);
  const shown = makeVisible(path);
  // A larger copy has nothing that could be varied.
  const isMade = record !== null && record.operation !== 'upscale';
  return (
    <fieldset className="image-actions" aria-label={words.actions}>
      {/* Without a seed, the same order gives another picture. */}
      {isMade && record.seed !== null && (
        <ActionButton
          tip={words.tips.again}
          isBusy={isBusy}
          onClick={() =>
            void start(words.runs.again(shown), repeatOrder(record, { keepSeed: true }))
          }
        >
          <Repeat aria-hidden="true" size={14} />
          {words.again}
        </ActionButton>
      )}
      {isMade && (
        <ActionButton
          tip={words.tips.vary}
          isBusy={isBusy}
          onClick={() =>
            void start(words.runs.vary(shown), repeatOrder(record, { keepSeed: false }))
          }
        >
          <Shuffle aria-hidden="true" size={14} />
          {words.vary}
        </ActionButton>
      )}
      <ActionButton
        tip={words.tips.larger}
        isBusy={isBusy}
        isQuiet={record === null}
        onClick={() => void start(words.runs.larger(shown), largerOrder(path, record))}
      >
        <ImageUpscale aria-hidden="true" size={14} />
        {words.larger}
      </ActionButton>
      <ActionButton
        tip={words.tips.change}
        isBusy={isBusy}
        isQuiet={record === null}
        onClick={onChange}
      >
        <Brush aria-hidden="true" size={14} />
        {words.change}
      </ActionButton>
    </fieldset>
  );
}

/** Starts a run, or says why it cannot now. */
function ActionButton({
  tip,
  isBusy,
  isQuiet = false,
  onClick,
  children,
}: Pick<ButtonProps, 'onClick' | 'children'> & {
  readonly tip: string;
  readonly isBusy: boolean;
  readonly isQuiet?: boolean;
}): ReactNode {
  return (
    <Tip text={isBusy ? words.busy : tip}>
      <Button
        size="small"
        variant={isQuiet ? 'ghost' : 'secondary'}
        aria-disabled={isBusy}
        onClick={isBusy ? undefined : onClick}
      >
        {children}
      </Button>
    </Tip>
  );
}
