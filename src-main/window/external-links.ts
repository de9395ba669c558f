import { type BrowserWindow, dialog, shell } from 'electron';

/** Anything else could start a program: `file:`, `smb:`, a scheme that some app registered. */
const OPENABLE = new Set(['https:', 'mailto:']);
const OPEN = 0;

/**
 * Opens an address outside the app, if the person says so with the whole of it before their eyes.
 * The address may come from a model. The only place that calls `shell.openExternal`.
 */
export async function openExternal(window: BrowserWindow, address: string): Promise<void> {
  // The parsed form is what is shown and opened: ASCII host, escapes written out.
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || !OPENABLE.has(url.protocol)) return;
  const { response } = await dialog.showMessageBox(window, {
    type: 'question',
    message: url.protocol === 'mailto:' ? 'Write to this address?' : 'Open this in your browser?',
    detail: url.href,
    buttons: ['Open', 'Cancel'],
    defaultId: 1,
    cancelId: 1,
    noLink: true,
  });
  if (response === OPEN) await shell.openExternal(url.href);
}
