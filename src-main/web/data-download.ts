import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { securityHeaders } from '../transport/renderer-files.ts';
import type { DataDownload } from '../user-data/data-exporter.ts';

/** Nothing of an export is shown as a page. */
const CLOSED_POLICY = "default-src 'none'; frame-ancestors 'none'";

/**
 * Sends an export to a browser while it is made. If it fails on the way, the connection breaks, so that the browser
 * keeps no half file for a whole one. Never rejects.
 */
export async function sendDownload(
  { fileName, send }: DataDownload,
  response: ServerResponse,
): Promise<void> {
  const closed = new AbortController();
  response.on('close', () => closed.abort());
  response.on('error', () => closed.abort());
  response.writeHead(200, {
    'Content-Type': 'application/zip',
    'Content-Disposition': `attachment; filename="${fileName}"`,
    'Cache-Control': 'no-store',
    ...securityHeaders(CLOSED_POLICY),
  });
  const write = async (bytes: Uint8Array): Promise<void> => {
    closed.signal.throwIfAborted();
    if (!response.write(bytes)) await once(response, 'drain', { signal: closed.signal });
  };
  try {
    await send(write, closed.signal);
    response.end();
  } catch {
    // The export itself says why.
    response.destroy();
  }
}
