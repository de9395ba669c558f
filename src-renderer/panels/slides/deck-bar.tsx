import { FileDown, MessageSquareText, Play } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { Deck, SlideTheme } from '#contract/slides.ts';
import { saveBase64 } from '../../bridge/save-file.ts';
import { runCommand, useCommands } from '../../commands-context.ts';
import { Button } from '../../components/button.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { useSession } from '../../session-context.ts';
import { slideStrings as words } from '../../strings/slides.ts';
import { LookSelect } from './look-select.tsx';
import type { DeckFile } from './use-deck.ts';

interface DeckBarProps {
  readonly file: DeckFile;
  readonly deck: Deck;
  /** The slide that is shown, from 0. */
  readonly slide: number;
  readonly onPresent: () => void;
  readonly onTheme: (theme: SlideTheme) => void;
  readonly onTemplate: (path: string) => void;
}

/** What can be done with the whole presentation, and with the help of the agent. */
export function DeckBar(props: DeckBarProps): ReactNode {
  const { file, deck, slide, onPresent, onTheme, onTemplate } = props;
  const { apps, bridge, showError } = useSession();
  const commands = useCommands();
  const [isMakingPdf, setMakingPdf] = useState(false);

  const changeWithWords = (): void => {
    apps.mention(file.threadId, words.inSlide(file.path, slide + 1));
    runCommand(commands, 'composer');
  };
  const savePdf = async (): Promise<void> => {
    if (isMakingPdf) return;
    setMakingPdf(true);
    const { threadId, path } = file;
    const result = await bridge.request('slides.pdf', { threadId, path });
    setMakingPdf(false);
    // Without a type of its own, no browser opens it as a page.
    if (result.ok) saveBase64({ ...result.data, mimeType: 'application/octet-stream' });
    else showError(result.error.message);
  };
  return (
    <div className="deck-bar">
      <Button size="small" variant="primary" onClick={onPresent}>
        <Play aria-hidden="true" size={14} />
        {words.present}
      </Button>
      <Button size="small" onClick={changeWithWords}>
        <MessageSquareText aria-hidden="true" size={14} />
        {words.withWords}
      </Button>
      <Button size="small" aria-disabled={isMakingPdf} onClick={() => void savePdf()}>
        {isMakingPdf ? <Spinner /> : <FileDown aria-hidden="true" size={14} />}
        {isMakingPdf ? words.makingPdf : words.pdf}
      </Button>
      <LookSelect {...{ file, deck, onTheme, onTemplate }} />
    </div>
  );
}
