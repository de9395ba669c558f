import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { z } from 'zod';
import { FakeEnvd, json } from './fake-envd.ts';
import { FakeMachine, type Hole } from './fake-machine.ts';

/** What is published as `NewSandbox`, as far as the app has a use for it. */
const NewSandbox = z.strictObject({
  templateID: z.literal('base'),
  timeout: z.number().int().min(0).max(3600),
  autoPause: z.boolean().optional(),
  secure: z.boolean().optional(),
  allow_internet_access: z.boolean().optional(),
  network: z.strictObject({ allowPublicTraffic: z.boolean().optional() }).optional(),
  metadata: z.record(z.string(), z.string()).optional(),
});
type NewSandbox = z.infer<typeof NewSandbox>;
const TimeoutRequest = z.strictObject({ timeout: z.number().int().min(0) });

export interface ListedFake {
  readonly id: string;
  readonly config: NewSandbox;
  readonly envd: FakeEnvd;
}

interface Running extends ListedFake {
  expiry: NodeJS.Timeout;
}

/** A refusal in the place of an answer, or a connection that is cut. */
export type Fault =
  | {
      readonly status: number;
      readonly message?: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | 'cut';

/** The service on loopback. Machines that are left when it closes are ended. */
export class FakeE2b {
  readonly key = `e2b_${randomBytes(20).toString('hex')}`;
  /** Method and path of every request, in order. */
  readonly requests: string[] = [];
  hole: Hole | null = null;
  /** Asked before every answer. */
  fault: (request: string) => Fault | null = () => null;
  readonly #machines = new Map<string, Running>();
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  static async start(): Promise<FakeE2b> {
    const fake = new FakeE2b();
    await new Promise<void>((resolve) => fake.#server.listen(0, '127.0.0.1', resolve));
    return fake;
  }

  get url(): string {
    const address = this.#server.address();
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  }

  get machines(): ListedFake[] {
    return [...this.#machines.values()];
  }

  /** Ends a machine as the service does when its time is up. */
  async end(id: string): Promise<boolean> {
    const machine = this.#machines.get(id);
    if (machine === undefined) return false;
    this.#machines.delete(id);
    clearTimeout(machine.expiry);
    // A computer that is gone tells nothing any more, not even how its programs ended.
    machine.envd.breakStreams();
    await machine.envd.machine.remove();
    return true;
  }

  /** A machine that somebody else has made. */
  async add(config: NewSandbox): Promise<ListedFake> {
    const envd = new FakeEnvd(await FakeMachine.start(this.hole));
    const id = `i${randomBytes(10).toString('hex')}`;
    const running: Running = { id, config, envd, expiry: this.#expiry(id, config.timeout) };
    this.#machines.set(id, running);
    return running;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#machines.keys()].map((id) => this.end(id)));
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #expiry(id: string, seconds: number): NodeJS.Timeout {
    return setTimeout(() => void this.end(id), seconds * 1000).unref();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const url = new URL(request.url ?? '/', this.url);
      const method = request.method ?? 'GET';
      const name = `${method} ${url.pathname}`;
      this.requests.push(name);
      const fault = this.fault(name);
      if (fault === 'cut') {
        request.socket.destroy();
        return;
      }
      if (fault !== null) {
        const { status, message = 'made up', headers = {} } = fault;
        for (const [header, value] of Object.entries(headers)) response.setHeader(header, value);
        return json(response, status, { code: status, message });
      }
      const body = Buffer.concat(chunks);
      const id = request.headers['e2b-sandbox-id'];
      if (typeof id !== 'string')
        return await this.#control({ method, url, body, request }, response);
      const machine = this.#machines.get(id);
      if (machine === undefined) {
        const gone = { sandboxId: id, message: 'The sandbox was not found', code: 502 };
        return json(response, 502, gone);
      }
      await machine.envd.answer({ method, url, headers: request.headers, body }, response);
    } catch (error) {
      if (response.headersSent) response.destroy();
      else json(response, 400, { code: 400, message: String(error) });
    }
  }

  async #control(
    asked: { method: string; url: URL; body: Buffer; request: IncomingMessage },
    response: ServerResponse,
  ): Promise<void> {
    const { method, url, body, request } = asked;
    if (request.headers['x-api-key'] !== this.key) {
      return json(response, 401, { code: 401, message: 'Invalid API key' });
    }
    const [, id = '', rest] = /^\/sandboxes\/([^/]+)(\/timeout)?$/.exec(url.pathname) ?? [];
    if (method === 'POST' && url.pathname === '/sandboxes') {
      const machine = await this.add(NewSandbox.parse(JSON.parse(body.toString('utf8'))));
      return json(response, 201, {
        ...{ templateID: 'base', sandboxID: machine.id, clientID: 'c', envdVersion: '0.5.8' },
        ...{ envdAccessToken: machine.envd.token, domain: null },
      });
    }
    if (method === 'GET' && url.pathname === '/v2/sandboxes') {
      return json(response, 200, this.#list(url.searchParams.get('metadata') ?? ''));
    }
    const machine = this.#machines.get(id);
    if (machine === undefined)
      return json(response, 404, { code: 404, message: `no sandbox ${id}` });
    if (method === 'DELETE' && rest === undefined) await this.end(id);
    else if (method === 'POST' && rest === '/timeout') {
      clearTimeout(machine.expiry);
      machine.expiry = this.#expiry(id, TimeoutRequest.parse(JSON.parse(`${body}`)).timeout);
    } else return json(response, 404, { code: 404, message: 'no such route' });
    response.writeHead(204).end();
  }

  #list(filter: string): unknown[] {
    const wanted = [...new URLSearchParams(filter)];
    return this.machines
      .filter(({ config }) => wanted.every(([name, value]) => config.metadata?.[name] === value))
      .map(({ id, config }) => ({
        ...{ templateID: 'base', sandboxID: id, clientID: 'c', envdVersion: '0.5.8' },
        ...{ cpuCount: 2, memoryMB: 512, diskSizeMB: 1024, state: 'running' },
        metadata: config.metadata ?? {},
      }));
  }
}

/** Why no machine can be made here; null if one can. */
export async function e2bObstacle(): Promise<string | null> {
  try {
    await (await FakeMachine.start(null)).remove();
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
