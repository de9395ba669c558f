import { FitAddon } from '@xterm/addon-fit';
import { type ITheme, Terminal } from '@xterm/xterm';
import '@xterm/xterm/css/xterm.css';
import type { TerminalLog } from '../../store/run-view.ts';
import { takeTerminalText, terminalStart } from './terminal-writer.ts';

const SCROLLBACK_LINES = 10_000;

/** A read-only terminal. It shows logs and owns its element until it is disposed. */
export class TerminalScreen {
  readonly #terminal: Terminal;
  readonly #fit = new FitAddon();
  readonly #host: HTMLElement;
  readonly #resize: ResizeObserver;
  readonly #dark = matchMedia('(prefers-color-scheme: dark)');
  readonly #themeChanges: MutationObserver;
  #cursor = terminalStart();

  constructor(host: HTMLElement, label: string) {
    this.#host = host;
    this.#terminal = new Terminal({
      disableStdin: true,
      convertEol: true,
      cursorBlink: false,
      cursorInactiveStyle: 'none',
      fontFamily: style(host, '--font-mono'),
      fontSize: readFontSize(),
      lineHeight: 1.35,
      scrollback: SCROLLBACK_LINES,
      minimumContrastRatio: 4.5,
      theme: readTheme(host),
      // Output may contain links; none of them works here.
      linkHandler: { activate: () => undefined },
    });
    refuseControl(this.#terminal);
    this.#terminal.loadAddon(this.#fit);
    this.#terminal.open(host);
    this.#terminal.textarea?.setAttribute('aria-label', label);
    this.#terminal.textarea?.setAttribute('readonly', '');
    this.#resize = new ResizeObserver(() => this.#refit());
    this.#resize.observe(host);
    this.#dark.addEventListener('change', this.#retheme);
    this.#themeChanges = new MutationObserver(this.#retheme);
    this.#themeChanges.observe(document.documentElement, {
      attributeFilter: ['data-theme', 'style'],
    });
  }

  /** Writes the new part of the log. */
  show(log: TerminalLog): void {
    const text = takeTerminalText(log, this.#cursor);
    if (text !== '') this.#terminal.write(text);
  }

  /** Clears the screen for another run. */
  reset(): void {
    this.#cursor = terminalStart();
    this.#terminal.reset();
  }

  dispose(): void {
    this.#resize.disconnect();
    this.#themeChanges.disconnect();
    this.#dark.removeEventListener('change', this.#retheme);
    this.#terminal.dispose();
  }

  #refit(): void {
    // A hidden panel has no size to fit to.
    if (this.#host.clientWidth > 0 && this.#host.clientHeight > 0) this.#fit.fit();
  }

  readonly #retheme = (): void => {
    this.#terminal.options.theme = readTheme(this.#host);
    this.#terminal.options.fontSize = readFontSize();
    this.#refit();
  };
}

/**
 * Programs may colour their output and redraw their line, as progress bars do. They may not clear
 * or overwrite what others printed, switch modes, or set titles and links.
 */
function refuseControl({ parser }: Terminal): void {
  const swallow = (): boolean => true;
  for (const final of REFUSED_CSI) {
    parser.registerCsiHandler({ final }, swallow);
    parser.registerCsiHandler({ prefix: '?', final }, swallow);
  }
  for (const final of 'c78DEMH') parser.registerEscHandler({ final }, swallow);
  for (const code of REFUSED_OSC) parser.registerOscHandler(code, swallow);
}

/** Moving up and down (A, B, E, F, H, d, f), clearing (J), lines and scrolling, modes, reports. */
const REFUSED_CSI = 'ABEFHJLMSTdefhlnrstu';
/** Titles, colours of the terminal itself, and links. */
const REFUSED_OSC = [0, 1, 2, 4, 8, 10, 11, 12, 104, 110, 111, 112];

const ANSI = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const;

/** Colours of a terminal and the custom properties that they come from. */
const THEME = {
  foreground: '--text',
  brightBlack: '--text-muted',
  background: '--bg-terminal',
  selectionBackground: '--bg-selected',
  ...Object.fromEntries(ANSI.map((name) => [name, `--ansi-${name}`])),
} satisfies ITheme;

function readTheme(host: HTMLElement): ITheme {
  return { ...resolveColours(host, THEME), cursor: 'transparent' };
}

/** 12.5 px at the usual size of text, and in proportion at others. */
function readFontSize(): number {
  return (Number.parseFloat(getComputedStyle(document.documentElement).fontSize) * 12.5) / 16;
}

function style(host: HTMLElement, name: string): string {
  return getComputedStyle(host).getPropertyValue(name).trim();
}

/**
 * Custom properties as plain colours: `light-dark()` is resolved only where it is used. All at once,
 * because reading a style that was just changed makes the browser compute the page again.
 */
function resolveColours(
  host: HTMLElement,
  names: Readonly<Record<string, string>>,
): Record<string, string> {
  const probes = Object.entries(names).map(([key, name]) => {
    const element = document.createElement('span');
    element.style.color = `var(${name})`;
    return { key, element };
  });
  host.append(...probes.map(({ element }) => element));
  const found = probes.map(({ key, element }) => [key, getComputedStyle(element).color]);
  for (const { element } of probes) element.remove();
  return Object.fromEntries(found);
}
