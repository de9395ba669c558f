import { page, type SiteAnswer } from './site.ts';

/** A way in which a page may reach a server without being sent there. */
export interface WayOut {
  readonly name: string;
  /** The page that tries it with each of these addresses. */
  readonly answer: (to: readonly string[]) => SiteAnswer;
  /** Works only in a page that came over TLS. */
  readonly isSecure?: boolean;
  /** It leads away from its page, and so is opened by itself. */
  readonly isAlone?: boolean;
  /** Asks nothing of the proxy: browsers do it in another way, or do not do it in a page that is just looked at. */
  readonly isQuiet?: boolean;
}

/** A script that does something with each address `u`, whatever became of those before. */
export const script =
  (code: string, before = '') =>
  (to: readonly string[]): string =>
    page(
      `${before}<script>const each = async (f) => { for (const u of ${JSON.stringify(to)}) { try { await f(u); } catch {} } };
${code}</script>`,
    );

/** Markup for each address. */
export const markup =
  (one: (u: string) => string) =>
  (to: readonly string[]): string =>
    page(to.map(one).join('\n'));

/** UTF-8 bytes as Node's headers take them. */
export const inHeader = (text: string): string => Buffer.from(text).toString('latin1');
