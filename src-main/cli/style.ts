export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  yellow(text: string): string;
  green(text: string): string;
}

/** Colours for a terminal that shows them; `NO_COLOR` (no-color.org) and `TERM=dumb` turn them off. */
export function styleFor(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv): Style {
  const colours = stream.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb';
  const paint = (on: number, off: number) => (text: string) =>
    colours && text !== '' ? `\u001b[${on}m${text}\u001b[${off}m` : text;
  return {
    bold: paint(1, 22),
    dim: paint(2, 22),
    red: paint(31, 39),
    yellow: paint(33, 39),
    green: paint(32, 39),
  };
}
