import { type ReactNode, useEffect, useId, useState } from 'react';
import { type Deck, SlideTheme } from '#contract/slides.ts';
import { makeVisible } from '#contract/visible-text.ts';
import { useSession } from '../../session-context.ts';
import { slideStrings as words } from '../../strings/slides.ts';
import type { DeckFile } from './use-deck.ts';

/** The option that stands for the template of the deck. */
const TEMPLATE = 'template';
/** What the options of files begin with, so that no file is taken for a theme. */
const FILE = 'file:';

interface LookSelectProps {
  readonly file: DeckFile;
  readonly deck: Deck;
  readonly onTheme: (theme: SlideTheme) => void;
  readonly onTemplate: (path: string) => void;
}

/** What the presentation looks like: a theme of the app, or a presentation of the task as its template. */
export function LookSelect(props: LookSelectProps): ReactNode {
  const { file, deck, onTheme, onTemplate } = props;
  const id = useId();
  const { templates, reread } = useTemplates(file);
  const choose = (value: string): void => {
    if (value.startsWith(FILE)) onTemplate(value.slice(FILE.length));
    else if (value !== TEMPLATE) onTheme(SlideTheme.parse(value));
  };
  return (
    <span className="deck-theme">
      <label htmlFor={id}>{words.theme}</label>
      <select
        id={id}
        className="text-input"
        value={deck.template === undefined ? deck.theme : TEMPLATE}
        // Files may have come meanwhile.
        onFocus={reread}
        onChange={(event) => choose(event.target.value)}
      >
        {deck.template !== undefined && (
          <option value={TEMPLATE}>{makeVisible(deck.template.name)}</option>
        )}
        {SlideTheme.options.map((theme) => (
          <option key={theme} value={theme}>
            {words.themes[theme]}
          </option>
        ))}
        <optgroup label={words.templates}>
          {templates.map((path) => (
            <option key={path} value={`${FILE}${path}`}>
              {makeVisible(path)}
            </option>
          ))}
          {templates.length === 0 && (
            <option disabled value={FILE}>
              {words.noTemplates}
            </option>
          )}
        </optgroup>
      </select>
    </span>
  );
}

interface Templates {
  readonly templates: readonly string[];
  readonly reread: () => void;
}

/** The presentations of a task besides this one; none where its files cannot be read: the tab of the files says why. */
function useTemplates({ threadId, path }: DeckFile): Templates {
  const { bridge } = useSession();
  const [templates, setTemplates] = useState<readonly string[]>([]);
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt reads again
  useEffect(() => {
    let isLeft = false;
    void bridge.request('files.list', { threadId }).then((result) => {
      if (isLeft || !result.ok) return;
      const files = result.data.entries.filter(({ kind }) => kind === 'file');
      setTemplates(files.map((one) => one.path).filter((one) => isTemplate(one) && one !== path));
    });
    return () => {
      isLeft = true;
    };
  }, [bridge, threadId, path, attempt]);
  return { templates, reread: () => setAttempt((count) => count + 1) };
}

function isTemplate(path: string): boolean {
  return /\.(?:pptx|potx)$/i.test(path) && !path.startsWith('.hyperagent/');
}
