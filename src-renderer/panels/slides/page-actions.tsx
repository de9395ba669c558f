import { ImageDown, RefreshCw } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { OpenDeck } from '#contract/slides.ts';
import { makeVisible } from '#contract/visible-text.ts';
import { saveBase64 } from '../../bridge/save-file.ts';
import { IconButton } from '../../components/button.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { useRunInTask } from '../../components/use-run-in-task.ts';
import { useSession } from '../../session-context.ts';
import { slideStrings as words } from '../../strings/slides.ts';
import type { DeckFile } from './use-deck.ts';

/** Sharp on a large screen. */
const PNG_WIDTH = 1_920;

interface PageActionsProps {
  readonly file: DeckFile;
  readonly open: OpenDeck;
  readonly page: number;
}

/** The shown page as a picture, and its slide in other words. */
export function PageActions({ file, open, page }: PageActionsProps): ReactNode {
  const { bridge, showError } = useSession();
  const { isBusy, start } = useRunInTask(file.threadId, words.again.started);
  const [isDrawing, setDrawing] = useState(false);
  const { threadId, path } = file;
  const savePage = async (): Promise<void> => {
    if (isDrawing) return;
    setDrawing(true);
    const wanted = { hash: open.hash, page, width: PNG_WIDTH };
    const result = await bridge.request('slides.draw', { threadId, path, ...wanted });
    setDrawing(false);
    if (!result.ok) {
      showError(result.error.message);
      return;
    }
    const stem = (path.split('/').at(-1) ?? '').replace(/\.pptx$/i, '');
    const fileName = `${stem}-${page + 1}.png`;
    saveBase64({ fileName, mimeType: 'application/octet-stream', data: result.data.png });
  };
  const writeAgain = (): void => {
    const slide = (open.pages[page]?.slide ?? 0) + 1;
    const request = words.again.request(slide);
    void start(words.again.prompt(makeVisible(path), slide), {
      id: 'slide_generation',
      params: { request, file: path, slide },
    });
  };
  return (
    <>
      <IconButton
        label={words.savePage}
        size="small"
        aria-disabled={isDrawing}
        onClick={() => void savePage()}
      >
        {isDrawing ? <Spinner /> : <ImageDown aria-hidden="true" size={15} />}
      </IconButton>
      <IconButton
        label={words.again.label}
        tip={isBusy ? words.again.busy : words.again.tip}
        size="small"
        aria-disabled={isBusy}
        onClick={isBusy ? undefined : writeAgain}
      >
        <RefreshCw aria-hidden="true" size={15} />
      </IconButton>
    </>
  );
}
