import type { BrowserContext, Cookie, Page } from 'playwright-core';
import { z } from 'zod';
import { AppError } from '#contract/errors.ts';
import { safeParse } from '#contract/safe-parse.ts';
import type { TypedValue } from './page-script.ts';
import type { PrivateValues } from './private-values.ts';
import { untilAborted } from './until-aborted.ts';

/** What is saved of one site, as JSON in UTF-8. */
export const SIGN_IN_BYTES = 1_000_000;
/** A page that does not answer is not waited for. */
const ANSWER_MS = 10_000;
/** Shorter values, such as `true` or a language, stand in pages by chance. */
const TOKEN_CHARS = 16;
/** What the user typed has room beside them. */
const MOST_TOKENS = 50;

const StoredCookie = z.strictObject({
  name: z.string(),
  value: z.string(),
  domain: z.string(),
  path: z.string(),
  expires: z.number(),
  httpOnly: z.boolean(),
  secure: z.boolean(),
  sameSite: z.enum(['Strict', 'Lax', 'None']),
});

const StoredSignIn = z.strictObject({
  site: z.string(),
  cookies: z.array(StoredCookie),
  /** Local storage of the origin. */
  items: z.array(z.tuple([z.string(), z.string()])),
});

/** What makes a user signed in at a site: never shown, logged or sent to a window. */
export type SignIn = z.infer<typeof StoredSignIn>;

/** Where a saved sign-in comes from and where it is put. */
interface SignInPlace {
  readonly page: Page;
  readonly values: PrivateValues;
}

/** What the context knows of the site of the page. Throws `CONFLICT` where there is none, or too much. */
export async function readSignIn({ page, values }: SignInPlace): Promise<SignIn> {
  const site = siteOf(page.url());
  if (site === null) {
    throw new AppError('CONFLICT', 'No site is open. Open one and sign in there first.');
  }
  const known = await inTime(page.context().cookies());
  const cookies = known.flatMap((cookie) => (belongsTo(cookie, site) ? [plain(cookie)] : []));
  const signIn = { site, cookies, items: await itemsOf(page, site) };
  if (siteOf(page.url()) !== site) throw notRead();
  if (signIn.cookies.length === 0 && signIn.items.length === 0) {
    throw new AppError('CONFLICT', `${site} has stored nothing here. Sign in first.`);
  }
  if (Buffer.byteLength(JSON.stringify(signIn)) > SIGN_IN_BYTES) {
    throw new AppError(
      'CONFLICT',
      `${site} has stored more than ${SIGN_IN_BYTES / 1e6} MB here, which is too much to save.`,
    );
  }
  values.add(tokensOf(signIn));
  return signIn;
}

/** The stored text as a sign-in for `site`. Throws `CONFLICT` that names it where it is anything else. */
export function parseSignIn(
  text: string,
  { name, site }: { readonly name: string; readonly site: string },
): SignIn {
  const signIn = parsed(text);
  const isRight =
    signIn !== null && signIn.site === site && signIn.cookies.every((one) => belongsTo(one, site));
  if (isRight) return signIn;
  throw new AppError(
    'CONFLICT',
    `The saved sign-in "${name}" is damaged. Delete it, sign in again and save it again.`,
    { details: { name } },
  );
}

/** Replaces what the context knows of the site. The page is left at an empty document of it. */
export async function placeSignIn(
  { site, cookies, items }: SignIn,
  { page, values }: SignInPlace,
): Promise<void> {
  values.add(tokensOf({ site, cookies, items }));
  const ofSite = (url: URL): boolean => url.origin === site;
  try {
    // Storage is reached from a document of the site; one of its own would run before it is signed in.
    await page.route(ofSite, (route) => route.fulfill({ contentType: 'text/html', body: EMPTY }));
    await page.goto(`${site}/`, { waitUntil: 'commit', timeout: ANSWER_MS });
    await replaceCookies(page.context(), { site, cookies });
    await inTime(
      page.evaluate((all) => {
        const { localStorage } = globalThis as unknown as { localStorage: ItemStorage };
        localStorage.clear();
        for (const [key, value] of all) localStorage.setItem(key, value);
      }, items),
    );
  } catch (error) {
    if (error instanceof AppError) throw error;
    // What Playwright says may contain what was put in.
    throw new AppError(
      'CONFLICT',
      `The sign-in could not be put into the page of ${site}. Try again in a new tab.`,
    );
  } finally {
    await page.unroute(ofSite).catch(() => undefined);
  }
}

interface ItemStorage {
  clear(): void;
  setItem(key: string, value: string): void;
}

const EMPTY = '<!doctype html><link rel="icon" href="data:,"><title>…</title>';

async function replaceCookies(
  context: BrowserContext,
  { site, cookies }: Pick<SignIn, 'site' | 'cookies'>,
): Promise<void> {
  for (const { name, domain, path, ...cookie } of await context.cookies()) {
    if (belongsTo({ domain, ...cookie }, site)) await context.clearCookies({ name, domain, path });
  }
  await context.addCookies(cookies);
}

/** The origin of a page of the web; null for any other page. */
export function siteOf(url: string): string | null {
  const parts = URL.parse(url);
  return parts !== null && /^https?:$/.test(parts.protocol) ? parts.origin : null;
}

/** It would be sent to some address of the site. Those of embedded sites are kept apart by Chromium. */
function belongsTo(
  { domain, secure, partitionKey }: Pick<Cookie, 'domain' | 'secure' | 'partitionKey'>,
  site: string,
): boolean {
  const { hostname, protocol } = new URL(site);
  const isOfHost = domain.startsWith('.')
    ? hostname === domain.slice(1) || hostname.endsWith(domain)
    : hostname === domain;
  return isOfHost && partitionKey === undefined && (protocol === 'https:' || !secure);
}

function plain({ partitionKey: _, ...cookie }: Cookie): SignIn['cookies'][number] {
  const { name, value, domain, path, expires, httpOnly, secure, sameSite } = cookie;
  return { name, value, domain, path, expires, httpOnly, secure, sameSite };
}

/** Read by Chromium, not by the page, whose `localStorage` may be anything. */
async function itemsOf(page: Page, securityOrigin: string): Promise<SignIn['items']> {
  const session = await inTime(page.context().newCDPSession(page));
  try {
    const storageId = { securityOrigin, isLocalStorage: true };
    const { entries } = await inTime(session.send('DOMStorage.getDOMStorageItems', { storageId }));
    return entries.map(([key = '', value = '']) => [key, value]);
  } finally {
    session.detach().catch(() => undefined);
  }
}

/** What a page could print, to be masked for the model: values of cookies that are long enough to be tokens. */
function tokensOf({ cookies }: SignIn): TypedValue[] {
  const values = cookies.map(({ value }) => value);
  const tokens = values.filter(({ length }) => length >= TOKEN_CHARS).slice(0, MOST_TOKENS);
  return tokens.map((value) => ({ value, isSecret: true }));
}

function parsed(text: string): SignIn | null {
  try {
    return safeParse(StoredSignIn, JSON.parse(text)).data ?? null;
  } catch {
    // Not JSON.
    return null;
  }
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  try {
    return await untilAborted(work, AbortSignal.timeout(ANSWER_MS));
  } catch {
    // A page that is busy without end, or went on meanwhile. What Playwright says is not passed on.
    throw notRead();
  }
}

function notRead(): AppError {
  return new AppError('CONFLICT', 'The page does not answer, or changed meanwhile. Try again.');
}
