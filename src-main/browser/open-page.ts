import type { Page } from 'playwright-core';
import { ActionFailed } from './action-failed.ts';

export const LOAD_MS = 20_000;
/** Schemes that a browser has beside the web, and that reach files and its own insides. */
const WEB = /^https?:$/;

/** Opens an address of the web in a page; says what came of it. Throws `ActionFailed`. */
export async function openPage(
  page: Page,
  address: string,
  signal: AbortSignal,
): Promise<{ readonly said: string; readonly status: number }> {
  const url = URL.parse(
    /^[a-z][a-z\d+.-]*:/i.test(address.trim()) ? address : `https://${address.trim()}`,
  );
  if (url === null || !WEB.test(url.protocol)) {
    throw new ActionFailed(
      `Only http and https addresses can be opened, not ${address.slice(0, 200)}.`,
    );
  }
  try {
    const response = await page.goto(url.href, { waitUntil: 'commit', timeout: LOAD_MS, signal });
    const status = response?.status() ?? 200;
    const egress = response?.headers()['x-egress'];
    if (egress !== undefined)
      throw new ActionFailed(refusal(url.host, await response?.text().catch(() => '')));
    return {
      status,
      said:
        status >= 400
          ? `Opened ${url.host.slice(0, 100)}: the server answered ${status}.`
          : `Opened ${url.host.slice(0, 100)}.`,
    };
  } catch (error) {
    throw error instanceof Error ? (loadFailure(error.message, url) ?? error) : error;
  }
}

function refusal(host: string, said: string | undefined): string {
  const why =
    said === undefined || said.trim() === ''
      ? 'its address or this task does not allow it'
      : said.trim();
  return `${host.slice(0, 100)} was not reached: ${why.slice(0, 300)}`;
}

/** What the errors of Chromium's network mean here. */
function loadFailure(message: string, url: URL): ActionFailed | null {
  const host = url.host.slice(0, 100);
  const code = /net::(ERR_[A-Z_0-9]+)/.exec(message)?.[1];
  switch (code) {
    case undefined:
      return null;
    case 'ERR_TUNNEL_CONNECTION_FAILED':
    case 'ERR_PROXY_CONNECTION_FAILED':
      return new ActionFailed(
        `${host} was not reached: the network of this task does not allow it, or it does not answer.`,
      );
    case 'ERR_ABORTED':
      return new ActionFailed(`${host} gave no page: it may be a download, or it was stopped.`);
    case 'ERR_TOO_MANY_REDIRECTS':
      return new ActionFailed(`${host} redirects without end.`);
    default:
      return /^ERR_(CERT|SSL)/.test(code)
        ? new ActionFailed(
            `The connection to ${host} is not secure (${code}): its certificate is wrong. It was not opened.`,
          )
        : new ActionFailed(`${host} could not be opened (${code}).`);
  }
}
