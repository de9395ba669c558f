import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { z } from 'zod';
import { frame, lastFrame, unframe } from './connect-wire.ts';
import type { FakeMachine, MachineProcess } from './fake-machine.ts';

export interface EnvdRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

const StartRequest = z.strictObject({
  process: z.strictObject({
    cmd: z.string(),
    args: z.array(z.string()).optional(),
    envs: z.record(z.string(), z.string()).optional(),
    cwd: z.string().optional(),
  }),
  stdin: z.boolean().optional(),
});
const SendInputRequest = z.strictObject({
  process: z.strictObject({ pid: z.number().int() }),
  input: z.strictObject({ stdin: z.base64() }),
});
const KEEPALIVE_MS = 1_000;

/** The daemon of one machine: programs over Connect with JSON, and files. */
export class FakeEnvd {
  readonly machine: FakeMachine;
  readonly token = randomUUID();
  readonly #processes = new Map<number, MachineProcess>();
  readonly #streams = new Set<ServerResponse>();

  constructor(machine: FakeMachine) {
    this.machine = machine;
  }

  async answer(request: EnvdRequest, response: ServerResponse): Promise<void> {
    if (request.headers['x-access-token'] !== this.token) {
      return json(response, 401, { code: 401, message: 'unauthorized access' });
    }
    switch (`${request.method} ${request.url.pathname}`) {
      case 'POST /process.Process/Start':
        return await this.#start(request, response);
      case 'POST /process.Process/SendInput':
        return await this.#sendInput(request, response);
      case 'GET /files':
        return await this.#download(request, response);
      case 'POST /files':
        return await this.#upload(request, response);
      default:
        return json(response, 404, { code: 404, message: 'no such route' });
    }
  }

  /** The connections of all programs break; the programs go on. */
  breakStreams(): void {
    for (const stream of this.#streams) stream.destroy();
  }

  async #start({ headers, body }: EnvdRequest, response: ServerResponse): Promise<void> {
    if (headers['content-type'] !== 'application/connect+json') {
      return json(response, 415, { code: 'invalid_argument', message: 'content type' });
    }
    const { process } = StartRequest.parse(unframe(body));
    const user = Buffer.from(`${headers.authorization}`.replace('Basic ', ''), 'base64').toString();
    const command = [process.cmd, ...(process.args ?? [])];
    const child = this.machine.spawn(command, user === 'root:' ? 'root' : 'user');
    const pid = child.pid ?? 0;
    this.#processes.set(pid, child);
    this.#streams.add(response);
    child.stdin.on('error', () => undefined);
    response.writeHead(200, { 'content-type': 'application/connect+json' });
    response.write(frame({ event: { start: { pid } } }));
    const alive = setInterval(() => {
      response.write(frame({ event: { keepalive: {} } }));
    }, KEEPALIVE_MS);
    response.once('close', () => {
      clearInterval(alive);
      this.#streams.delete(response);
      // Whoever is gone must not hold the program up.
      child.stdout.resume();
      child.stderr.resume();
    });
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].on('data', (chunk: Buffer) => {
        if (response.destroyed) return;
        const data = { [name]: chunk.toString('base64') };
        if (response.write(frame({ event: { data } }))) return;
        child[name].pause();
        response.once('drain', () => child[name].resume());
      });
    }
    // As the daemon does: only when nobody holds the output any more is the end told.
    const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
    this.#processes.delete(pid);
    const killed = { exitCode: -1, status: 'signal: killed' };
    const exited = {
      exited: true,
      status: `exit status ${code}`,
      ...(code ? { exitCode: code } : {}),
    };
    response.write(frame({ event: { end: signal === null ? exited : killed } }));
    response.end(lastFrame());
  }

  async #sendInput({ body }: EnvdRequest, response: ServerResponse): Promise<void> {
    const { process, input } = SendInputRequest.parse(JSON.parse(body.toString('utf8')));
    const child = this.#processes.get(process.pid);
    if (child === undefined) {
      return json(response, 404, { code: 'not_found', message: `no process ${process.pid}` });
    }
    const bytes = Buffer.from(input.stdin, 'base64');
    await new Promise<void>((resolve) => child.stdin.write(bytes, () => resolve()));
    json(response, 200, {});
  }

  async #download({ url }: EnvdRequest, response: ServerResponse): Promise<void> {
    const path = url.searchParams.get('path') ?? '';
    if ((await this.machine.run(['/usr/bin/test', '-f', path], 'user')).exitCode !== 0) {
      return json(response, 404, { code: 404, message: `path '${path}' does not exist` });
    }
    const { stdout } = await this.machine.run(['/bin/cat', '--', path], 'user');
    response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(stdout);
  }

  async #upload({ url, headers, body }: EnvdRequest, response: ServerResponse): Promise<void> {
    const path = url.searchParams.get('path') ?? '';
    const type = { 'content-type': `${headers['content-type']}` };
    const form = await new Response(new Uint8Array(body), { headers: type }).formData();
    const file = form.get('file');
    if (!(file instanceof Blob)) return json(response, 400, { code: 400, message: 'no file' });
    const write = [
      '/bin/bash',
      '-c',
      'mkdir -p -- "$(dirname -- "$1")" && cat >"$1"',
      'upload',
      path,
    ];
    const data = Buffer.from(await file.arrayBuffer());
    const { exitCode } = await this.machine.run(write, 'user', data);
    if (exitCode !== 0)
      return json(response, 500, { code: 500, message: `error writing '${path}'` });
    json(response, 200, [{ path, name: path.slice(path.lastIndexOf('/') + 1), type: 'file' }]);
  }
}

export function json(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}
