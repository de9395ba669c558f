import { Code, Download } from 'lucide-react';
import { type ReactNode, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { saveBlob } from '../../bridge/save-file.ts';
import { openDiagramFrame } from '../../formatting/diagram-frame.ts';
import type { DiagramQuestion, Drawing } from '../../formatting/diagram-messages.ts';
import { DiagramThread, type DrawingResult } from '../../formatting/diagram-thread.ts';
import { useSession } from '../../session-context.ts';
import { diagramStrings } from '../../strings/diagrams.ts';
import { IconButton } from '../button.tsx';
import { CopyButton } from '../copy-button.tsx';
import { HighlightedCode } from './code-block.tsx';
import { picturePng } from './picture-png.ts';

const thread = new DiagramThread(openDiagramFrame);

/**
 * A Mermaid diagram, drawn in a frame that has nothing of the window, and shown as a picture. Until it is
 * drawn, and where it cannot be, its source is shown.
 */
export function Diagram({ source }: { readonly source: string }): ReactNode {
  const session = useSession();
  const dark = useDark();
  const result = useDrawn(source, dark);
  const [asSource, setAsSource] = useState(false);
  const drawing = typeof result === 'object' ? result : null;
  const save = async (drawn: Drawing): Promise<void> => {
    const png = await picturePng({ ...drawn, url: urlOf(drawn) });
    if (png === null) session.showError(diagramStrings.saveFailed);
    else saveBlob(diagramStrings.fileName, png);
  };
  return (
    <figure className="code-block diagram">
      <figcaption className="code-block-bar">
        <span>{drawing === null ? diagramStrings.diagram : kindOf(drawing)}</span>
        <span className="spacer" />
        {drawing !== null && (
          <>
            <IconButton
              label={diagramStrings.showSource}
              size="small"
              aria-pressed={asSource}
              onClick={() => setAsSource(!asSource)}
            >
              <Code aria-hidden="true" size={14} />
            </IconButton>
            <IconButton
              label={diagramStrings.savePicture}
              size="small"
              onClick={() => void save(drawing)}
            >
              <Download aria-hidden="true" size={14} />
            </IconButton>
          </>
        )}
        <CopyButton label={diagramStrings.copySource} text={() => source} />
      </figcaption>
      {drawing !== null && !asSource ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <div className="diagram-body" tabIndex={0}>
          <img
            src={urlOf(drawing)}
            width={drawing.width}
            height={drawing.height}
            alt={diagramStrings.named(kindOf(drawing), drawing.title)}
          />
        </div>
      ) : (
        <HighlightedCode code={source} language="mermaid" />
      )}
      {typeof result !== 'object' && (
        <p className="diagram-note muted" role="status">
          {result === undefined ? diagramStrings.drawing : diagramStrings.failures[result]}
        </p>
      )}
    </figure>
  );
}

/** The drawing, or the previous one while the theme changes; undefined while there is none. */
function useDrawn(source: string, dark: boolean): DrawingResult | undefined {
  const question = useMemo((): DiagramQuestion => ({ source, dark }), [source, dark]);
  const [last, setLast] = useState<{ source: string; result: DrawingResult } | null>(null);
  useEffect(
    () => thread.ask(question, (result) => setLast({ source: question.source, result })),
    [question],
  );
  return thread.kept(question) ?? (last?.source === source ? last.result : undefined);
}

/** In a picture nothing of an SVG runs, links or loads. */
function urlOf({ svg }: Drawing): string {
  return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
}

function kindOf({ kind }: Drawing): string {
  const found = Object.entries(diagramStrings.kinds).find(([name]) => kind.startsWith(name));
  return found?.[1] ?? diagramStrings.diagram;
}

const prefersDark = matchMedia('(prefers-color-scheme: dark)');

/** Whether the window is dark, by its settings or by the system's. */
function useDark(): boolean {
  return useSyncExternalStore(followTheme, isDark);
}

function isDark(): boolean {
  const { theme } = document.documentElement.dataset;
  return theme === 'dark' || (theme !== 'light' && prefersDark.matches);
}

function followTheme(changed: () => void): () => void {
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  prefersDark.addEventListener('change', changed);
  return () => {
    observer.disconnect();
    prefersDark.removeEventListener('change', changed);
  };
}
