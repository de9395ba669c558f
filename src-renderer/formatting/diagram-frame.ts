import type { DiagramFrame } from './diagram-thread.ts';

/** The page that draws, which `scripts/build/diagram-page.ts` makes. */
const PAGE = './diagram.html';

/**
 * Opens the page that draws diagrams in a frame without an origin: it reaches neither the window nor a
 * network, and browsers that isolate such frames give it a process of its own, which ends with it.
 */
export function openDiagramFrame(heard: (message: unknown) => void): DiagramFrame {
  const frame = document.createElement('iframe');
  frame.sandbox.add('allow-scripts');
  frame.className = 'diagram-frame';
  frame.ariaHidden = 'true';
  frame.tabIndex = -1;
  frame.title = '';
  const listen = ({ source, data }: MessageEvent<unknown>): void => {
    if (source !== null && source === frame.contentWindow) heard(data);
  };
  addEventListener('message', listen);
  frame.src = PAGE;
  document.body.append(frame);
  return {
    // A frame without an origin cannot be named: what it gets is its own question only.
    ask: (question) => frame.contentWindow?.postMessage(question, '*'),
    end: () => {
      removeEventListener('message', listen);
      frame.remove();
    },
  };
}
