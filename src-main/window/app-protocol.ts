import { protocol } from 'electron';
import { RendererFiles } from '../transport/renderer-files.ts';

/** Our own scheme, for an origin that no other page has. All files share the origin of `file:`. */
const SCHEME = 'app';
const HOST = 'hyperagent';
export const APP_ORIGIN = `${SCHEME}://${HOST}`;

/** Must run before the app is ready. */
export function registerAppScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true } },
  ]);
}

/** Serves the built window under the origin, with its content security policy. */
export async function serveAppProtocol(rendererDir: string): Promise<void> {
  const files = await RendererFiles.open(rendererDir, []);
  protocol.handle(SCHEME, async ({ url, method }) => {
    const { host, pathname } = new URL(url);
    const file = host === HOST && method === 'GET' ? await files.read(pathname) : null;
    if (file === null) return new Response('Not found.', { status: 404 });
    return new Response(new Uint8Array(file.data), { headers: file.headers });
  });
}
