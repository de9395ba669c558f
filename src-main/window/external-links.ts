import { type BrowserWindow, dialog, shell } from 'electron';

/** Anything else could start a program: `file:`, `smb:`, a scheme that some app registered. */
const OPENABLE = new Set(['https:', 'mailto:']);
/** Some mail programs would take files of the person along (`attach=`). */
const MAIL_FIELDS = new Set(['to', 'cc', 'bcc', 'subject', 'body']);
/** A dialog clips what is longer, and nobody sees what they agree to. */
const LONGEST_SHOWN = 2_000;
const OPEN = 0;

/**
 * Opens addresses outside the app, each only if the person says so with the whole of it before their
 * eyes. An address may come from a model. The only place that calls `shell.openExternal`.
 */
export class ExternalLinks {
  #isAsking = false;

  /** Asks, and opens. Does nothing for what must not be opened, and while another question is open. */
  async open(window: BrowserWindow, address: string): Promise<void> {
    const url = openable(address);
    // A page that asks again and again would wear the person down.
    if (url === null || this.#isAsking) return;
    this.#isAsking = true;
    try {
      if (await isWanted(window, url)) await shell.openExternal(url.href);
    } finally {
      this.#isAsking = false;
    }
  }
}

/** The parsed form is what is shown and opened: ASCII host, escapes written out. */
function openable(address: string): URL | null {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || !OPENABLE.has(url.protocol)) return null;
  // `https://known.example@attacker.example/` leads to the attacker, and reads as if it did not.
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
      message: 'This address is too long to be shown in full, so it is not opened.',
      detail: `${href.slice(0, 200)}…`,
      buttons: ['Close'],
    });
    return false;
  }
  const { response } = await dialog.showMessageBox(window, {
    type: 'question',
    message: protocol === 'mailto:' ? 'Write to this address?' : 'Open this in your browser?',
    detail: href,
    buttons: ['Open', 'Cancel'],
    defaultId: 1,
    cancelId: 1,
    noLink: true,
  });
  return response === OPEN;
}
