import { type BrowserWindow, dialog, shell } from 'electron';
import { isPreviewUrl } from '#contract/apps.ts';

/** Besides previews of apps. Any other scheme could start a program: `file:`, `smb:`, or one that an app registered. */
const OPENABLE = new Set(['https:', 'mailto:']);
/** Other fields are refused: some mail programs attach local files with `attach=`. */
const MAIL_FIELDS = new Set(['to', 'cc', 'bcc', 'subject', 'body']);
/** A dialog clips longer addresses, so the user would not see what they approve. */
const LONGEST_SHOWN = 2_000;
const OPEN = 0;

/**
 * Opens addresses outside the app, each only after the user confirms the full address, because it may
 * come from a model. The only place that calls `shell.openExternal`.
 */
export class ExternalLinks {
  #isAsking = false;

  /** Asks, then opens. Ignores addresses that must not be opened, and requests while a dialog is open. */
  async open(window: BrowserWindow, address: string): Promise<void> {
    const url = openable(address);
    // One dialog at a time, so that a page cannot flood the user with dialogs.
    if (url === null || this.#isAsking) return;
    this.#isAsking = true;
    try {
      if (await isWanted(window, url)) await shell.openExternal(url.href);
    } finally {
      this.#isAsking = false;
    }
  }
}

/** The parsed form is shown and opened: ASCII host, escapes written out. */
function openable(address: string): URL | null {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || !(OPENABLE.has(url.protocol) || isPreviewUrl(url.href))) return null;
  // `https://known.example@attacker.example/` opens the attacker's host, but looks like the known one.
  if (url.username !== '' || url.password !== '') return null;
  const isOddMail =
    url.protocol === 'mailto:' &&
    [...url.searchParams.keys()].some((name) => !MAIL_FIELDS.has(name.toLowerCase()));
  return isOddMail ? null : url;
}

async function isWanted(window: BrowserWindow, { href, protocol }: URL): Promise<boolean> {
  if (href.length > LONGEST_SHOWN) {
    await dialog.showMessageBox(window, {
      type: 'warning',
      message: 'This address is too long to show in full, so it was not opened.',
      detail: `${href.slice(0, 200)}…`,
      buttons: ['Close'],
    });
    return false;
  }
  const { response } = await dialog.showMessageBox(window, {
    type: 'question',
    message:
      protocol === 'mailto:'
        ? 'Write an email to this address?'
        : 'Open this link in your browser?',
    detail: href,
    buttons: ['Open', 'Cancel'],
    defaultId: 1,
    cancelId: 1,
    noLink: true,
  });
  return response === OPEN;
}
