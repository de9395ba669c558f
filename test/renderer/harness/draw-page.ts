import type { BrowserInput, BrowserState } from '#contract/browser.ts';

/** A booking form with the title of the page, and what was typed last. */
export async function drawPage(
  state: BrowserState,
  inputs: readonly BrowserInput[],
): Promise<string> {
  const { width, height } = state.viewport;
  const canvas = new OffscreenCanvas(width, height);
  const pen = canvas.getContext('2d');
  if (pen === null) throw new Error('There is nothing to draw on.');
  const tab = state.tabs.find(({ id }) => id === state.tabId);
  const typed = inputs.map((one) => (one.type === 'key_down' ? one.key : '')).join('');
  const box = (place: readonly [number, number, number, number], fill: string, text = ''): void => {
    pen.fillStyle = fill;
    pen.fillRect(...place);
    pen.fillStyle = fill === '#1d56a8' ? '#ffffff' : '#33332f';
    pen.fillText(text, place[0] + 20, place[1] + place[3] / 2 + 10);
  };
  box([0, 0, width, height], '#ffffff');
  box([0, 0, width, 96], '#1d56a8');
  pen.font = '34px sans-serif';
  pen.fillText(tab?.title ?? '', 48, 60);
  for (const [row, label] of ['From', 'To', 'Date'].entries()) {
    pen.fillStyle = '#605f59';
    pen.fillText(label, 64, 196 + row * 150);
    box([64, 216 + row * 150, 700, 72], '#eeeeea', row === 1 ? typed.slice(-30) : '');
  }
  box([64, 680, 260, 76], '#1d56a8', 'Search');
  const bytes = new Uint8Array(
    await (await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.6 })).arrayBuffer(),
  );
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
