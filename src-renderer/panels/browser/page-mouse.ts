import type { BrowserInput, BrowserState } from '#contract/browser.ts';
import { bounded } from './page-inputs.ts';

const BUTTONS = ['left', 'middle', 'right'] as const;
const LINE_PX = 16;

export interface PageMouse {
  readonly viewport: () => BrowserState['viewport'];
  readonly add: (input: BrowserInput) => void;
  /** A button went down, at this share of the picture's width and height. */
  readonly onPress: (place: { readonly across: number; readonly down: number }) => void;
}

/** Passes the mouse over a picture on to its page, until the returned function is called. */
export function listenToMouse(picture: HTMLElement, mouse: PageMouse): () => void {
  const { add } = mouse;
  const share = ({ clientX, clientY }: MouseEvent) => {
    const { left, top, width, height } = picture.getBoundingClientRect();
    const part = (of: number, whole: number): number => Math.max(0, Math.min(1, of / whole));
    return { across: part(clientX - left, width), down: part(clientY - top, height) };
  };
  /** In CSS pixels of the page's viewport, whatever the size of the picture. */
  const place = (event: MouseEvent): { readonly x: number; readonly y: number } => {
    const { across, down } = share(event);
    const { width, height } = mouse.viewport();
    return { x: Math.min(across * width, width - 1), y: Math.min(down * height, height - 1) };
  };
  const press = (type: 'mouse_down' | 'mouse_up') => (event: MouseEvent) => {
    event.preventDefault();
    const button = BUTTONS[event.button];
    if (button === undefined) return;
    if (type === 'mouse_down') mouse.onPress(share(event));
    add({ type, ...place(event), button, clicks: Math.min(event.detail, 3) });
  };
  const move = (event: MouseEvent): void => {
    const held = event.buttons & 1 ? 0 : event.buttons & 4 ? 1 : event.buttons & 2 ? 2 : 0;
    add({ type: 'mouse_move', ...place(event), button: BUTTONS[held] ?? 'left', clicks: 0 });
  };
  const wheel = (event: WheelEvent): void => {
    event.preventDefault();
    const { deltaMode, deltaX, deltaY } = event;
    const unit = deltaMode === 0 ? 1 : deltaMode === 1 ? LINE_PX : mouse.viewport().height;
    add({ type: 'wheel', ...place(event), dx: bounded(deltaX * unit), dy: bounded(deltaY * unit) });
  };
  const over = new AbortController();
  const { signal } = over;
  // A drag goes on outside of the picture.
  const capture = ({ pointerId }: PointerEvent): void => picture.setPointerCapture(pointerId);
  picture.addEventListener('pointerdown', capture, { signal });
  picture.addEventListener('mousedown', press('mouse_down'), { signal });
  picture.addEventListener('mouseup', press('mouse_up'), { signal });
  picture.addEventListener('mousemove', move, { signal });
  picture.addEventListener('wheel', wheel, { signal, passive: false });
  picture.addEventListener('contextmenu', (event) => event.preventDefault(), { signal });
  return () => over.abort();
}
