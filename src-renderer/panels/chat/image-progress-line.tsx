import { type ReactNode, useSyncExternalStore } from 'react';
import type { ImageProgressNotice } from '#contract/images.ts';
import type { ToolName } from '#contract/tools.ts';
import { useApp, useSession } from '../../session-context.ts';
import { progressKey } from '../../store/image-progress.ts';
import type { ToolItem } from '../../store/run-view.ts';
import { toolStrings } from '../../strings/tools.ts';

const words = toolStrings.picture;
const TOOL: ToolName = 'generate_image';

interface LineProps {
  readonly item: ToolItem;
  readonly runId: string;
}

/** How far the picture of a call is; nothing for any other call, and once it ended. */
export function ImageProgressLine(props: LineProps): ReactNode {
  const { name, status } = props.item;
  return name === TOOL && status === 'running' ? <ShownProgress {...props} /> : null;
}

function ShownProgress({ item: { toolCallId }, runId }: LineProps): ReactNode {
  const { imageProgress } = useSession();
  const threadId = useApp((state) => state.runs.get(runId)?.threadId ?? '');
  const key = progressKey(threadId, toolCallId);
  const { store } = imageProgress;
  const notice = useSyncExternalStore(store.subscribe, () => store.get().get(key) ?? null);
  if (notice === null) return null;
  const { step, steps, preview } = notice;
  const text = textOf(notice);
  return (
    <div className="image-progress">
      {preview?.startsWith('data:image/') && <img src={preview} alt={words.preview} />}
      <div className="image-progress-text">
        <p>{text}</p>
        {step !== null && steps !== null && (
          <div
            className="progress"
            role="progressbar"
            aria-label={words.progress}
            aria-valuemin={0}
            aria-valuemax={steps}
            aria-valuenow={Math.min(step, steps)}
            aria-valuetext={text}
          >
            <div
              className="progress-done"
              style={{ width: `${(Math.min(step, steps) / steps) * 100}%` }}
            />
          </div>
        )}
      </div>
    </div>
  );
}

function textOf({ queue, step, steps }: ImageProgressNotice): string {
  if (step !== null) return words.step(step, steps);
  return queue === null ? words.begins : words.queue(queue);
}
