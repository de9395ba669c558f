import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import { isRecord } from './fake-image-server.ts';

/** Kinds of binary messages. */
const PREVIEW = 1;
const PREVIEW_WITH_METADATA = 4;
const PNG = 2;

/** The `/ws` of ComfyUI: one socket for each client id. */
export class ComfyuiSockets {
  readonly #sockets = new Map<string, WebSocket>();
  readonly #wantsMetadata = new Set<string>();

  constructor(server: Server, status: () => unknown) {
    const sockets = new WebSocketServer({ noServer: true });
    server.on('upgrade', (request, socket, head) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://fake');
      if (pathname !== '/ws' && pathname !== '/api/ws') {
        socket.on('error', () => socket.destroy());
        socket.end('HTTP/1.1 404 Not Found\r\n\r\n');
        return;
      }
      sockets.handleUpgrade(request, socket, head, (connected) => {
        const sid = searchParams.get('clientId') || randomUUID().replaceAll('-', '');
        this.#sockets.set(sid, connected);
        connected.on('error', () => connected.terminate());
        connected.on('close', () => {
          if (this.#sockets.get(sid) === connected) this.#sockets.delete(sid);
          this.#wantsMetadata.delete(sid);
        });
        connected.once('message', (data, isBinary) => {
          if (!isBinary) this.#negotiate(sid, data.toString());
        });
        this.send(sid, 'status', { status: status(), sid });
      });
    });
  }

  /** To this client alone; to none if it is null or not connected. */
  send(clientId: string | null, type: string, data: unknown): void {
    if (clientId !== null) this.#sockets.get(clientId)?.send(JSON.stringify({ type, data }));
  }

  broadcast(type: string, data: unknown): void {
    for (const id of this.#sockets.keys()) this.send(id, type, data);
  }

  /** A PNG; real servers send JPEG. With its origin, if the client asked for that. */
  sendPreview(
    clientId: string | null,
    png: Buffer,
    names: Readonly<Record<string, unknown>>,
  ): void {
    if (clientId === null) return;
    const hasMetadata = this.#wantsMetadata.has(clientId);
    const metadata = Buffer.from(JSON.stringify({ ...names, image_type: 'image/png' }));
    const header = Buffer.alloc(8);
    header.writeUInt32BE(hasMetadata ? PREVIEW_WITH_METADATA : PREVIEW, 0);
    header.writeUInt32BE(hasMetadata ? metadata.length : PNG, 4);
    const parts = [header, ...(hasMetadata ? [metadata] : []), png];
    this.#sockets.get(clientId)?.send(Buffer.concat(parts));
  }

  /** The first message of a client may say what it supports. */
  #negotiate(sid: string, text: string): void {
    if (!text.includes('"feature_flags"')) return;
    const { data } = JSON.parse(text) as { readonly data?: unknown };
    if (isRecord(data) && data.supports_preview_metadata === true) this.#wantsMetadata.add(sid);
    this.send(sid, 'feature_flags', {
      supports_preview_metadata: true,
      max_upload_size: 104_857_600,
    });
  }
}
