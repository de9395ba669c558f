import mermaid from 'mermaid';
import {
  type DiagramAnswer,
  type DiagramQuestion,
  type Drawing,
  LONGEST_SOURCE,
  type NumberedQuestion,
} from '../formatting/diagram-messages.ts';

/**
 * The page that draws diagrams, alone in its frame. Sources are hostile: Mermaid is held to what its own
 * settings allow, the frame's policy to what is drawn here, and the window shows the result as a picture.
 */
addEventListener('message', ({ data, source }: MessageEvent<NumberedQuestion>) => {
  if (source !== parent) return;
  const { number } = data;
  void draw(data).then(
    (drawing) => answer({ number, drawing }),
    // What cannot be read or drawn is shown as its source.
    () => answer({ number, drawing: null }),
  );
});
answer({ ready: true });

function answer(message: DiagramAnswer): void {
  parent.postMessage(message, '*');
}

/** What no source may set, at any depth; beside what Mermaid never lets one set. */
const SECURE = [
  ...[
    'secure',
    'securityLevel',
    'startOnLoad',
    'maxTextSize',
    'maxEdges',
    'suppressErrorRendering',
  ],
  ...[
    'htmlLabels',
    'themeCSS',
    'fontFamily',
    'altFontFamily',
    'dompurifyConfig',
    'forceLegacyMathML',
  ],
];

async function draw({ source, dark }: DiagramQuestion): Promise<Drawing> {
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: 'strict',
    suppressErrorRendering: true,
    htmlLabels: false,
    flowchart: { htmlLabels: false },
    maxTextSize: LONGEST_SOURCE,
    maxEdges: 400,
    theme: dark ? 'dark' : 'default',
    fontFamily: 'system-ui, sans-serif',
    secure: SECURE,
  });
  const { svg, diagramType } = await mermaid.render('diagram', source);
  const drawn = new DOMParser().parseFromString(svg, 'text/html').querySelector('svg');
  if (drawn === null) throw new Error('Nothing was drawn.');
  const [, , width = 0, height = 0] = (drawn.getAttribute('viewBox') ?? '')
    .split(/[\s,]+/)
    .map(Number);
  drawn.style.maxWidth = '';
  drawn.setAttribute('width', String(width));
  drawn.setAttribute('height', String(height));
  return {
    // As XML, which a picture must be; Mermaid gives HTML.
    svg: new XMLSerializer().serializeToString(drawn),
    ...{ width, height },
    kind: diagramType,
    title: drawn.querySelector(':scope > title')?.textContent ?? titleIn(source),
  };
}

/** The title that the source shows, at its top or among its statements. */
function titleIn(source: string): string {
  return /^[ \t]*title:?[ \t]+(\S.*)$/m.exec(source)?.[1]?.trim() ?? '';
}
