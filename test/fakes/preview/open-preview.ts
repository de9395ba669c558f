import { readFileSync } from 'node:fs';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import path from 'node:path';
import { type PreviewAddress, PreviewServer } from '#main/preview/preview-server.ts';

export interface UpstreamRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: http.IncomingHttpHeaders;
}

export interface OpenPreview extends AsyncDisposable {
  readonly preview: PreviewServer;
  /** What the server behind it was asked. */
  readonly requests: readonly UpstreamRequest[];
  readonly upstream: http.Server;
  /** Takes the server behind it away, or brings it back. */
  isUp: boolean;
}

const SCRIPT = readFileSync(
  path.resolve(import.meta.dirname, '../../../resources/preview/report.js'),
);

/** A preview over a real HTTP server of the test, by real connections. */
export async function openPreview(
  answer: http.RequestListener,
  { address, port }: { readonly address?: PreviewAddress; readonly port?: number } = {},
): Promise<OpenPreview> {
  const requests: UpstreamRequest[] = [];
  const upstream = http.createServer((request, response) => {
    const { method = '', url = '', headers } = request;
    requests.push({ method, url, headers });
    answer(request, response);
  });
  await new Promise<void>((resolve) => upstream.listen(port ?? 0, '127.0.0.1', resolve));
  const at = (upstream.address() as AddressInfo).port;
  const state = { isUp: true };
  const preview = await PreviewServer.open({
    framedBy: ['http://127.0.0.1:*'],
    reportScript: SCRIPT,
    ...(address === undefined ? {} : { address }),
    target: () => (state.isUp ? { port: at, connect: () => net.connect(at, '127.0.0.1') } : null),
  });
  return Object.assign(state, {
    ...{ preview, requests, upstream },
    [Symbol.asyncDispose]: async () => {
      await preview[Symbol.asyncDispose]();
      upstream.closeAllConnections();
      await new Promise<void>((resolve) => upstream.close(() => resolve()));
    },
  });
}

export interface PreviewAnswer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

/** One request to the listener of a preview, with any headers. */
export function ask(
  { preview }: Pick<OpenPreview, 'preview'>,
  url: string,
  headers: Readonly<Record<string, string>> = {},
  { method = 'GET', body = '' }: { readonly method?: string; readonly body?: string } = {},
): Promise<PreviewAnswer> {
  return new Promise((resolve, reject) => {
    const { port } = preview.address;
    const request = http.request(
      { host: '127.0.0.1', port, path: url, method, headers: { host: preview.host, ...headers } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks).toString('utf8'),
          }),
        );
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}
