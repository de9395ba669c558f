import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Things outside that nothing may touch; every touch is seen. */
export interface Canaries extends AsyncDisposable {
  readonly params: { readonly file: string; readonly secret: string; readonly url: string };
  /** What was touched since the last look; empty for nothing. `said` is all that came out. */
  touched(said: string): Promise<string[]>;
}

const SECRET = 'canary-of-the-host-7f3a';
const OWN = new Set(Reflect.ownKeys(Object.prototype));
const PROTOTYPES = [
  Object.prototype,
  Array.prototype,
  Function.prototype,
  Promise.prototype,
  Map.prototype,
];
const shapes = (): string =>
  PROTOTYPES.map((one) => Reflect.ownKeys(one).map(String).join()).join('|');

export async function openCanaries(): Promise<Canaries> {
  const folder = mkdtempSync(join(tmpdir(), 'hyperagent-canary-'));
  const file = join(folder, 'touched');
  const secret = join(folder, 'secret');
  writeFileSync(secret, SECRET);
  let requests = 0;
  const server = http.createServer((_request, response) => {
    requests += 1;
    response.end(SECRET);
  });
  server.on('connection', () => {
    requests += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const before = shapes();
  const globals = new Set(Object.getOwnPropertyNames(globalThis));
  return {
    params: { file, secret, url: `http://127.0.0.1:${port}/` },
    touched: async (said) => {
      // A request that was begun arrives.
      await new Promise((resolve) => setTimeout(resolve, 5));
      const found: string[] = [];
      if (existsSync(file)) found.push('a file was written');
      if (readFileSync(secret, 'utf8') !== SECRET) found.push('the secret was changed');
      if (said.includes(SECRET)) found.push('the secret was read');
      if (said.includes('"__proto__"')) found.push('a key that stands for a prototype came out');
      if (said.includes(process.version) || said.includes(process.cwd()))
        found.push('the process was seen');
      if (requests > 0) found.push('the listener was reached');
      if (Reflect.ownKeys(Object.prototype).some((key) => !OWN.has(key)) || 'polluted' in {}) {
        found.push('Object.prototype was changed');
      }
      if (shapes() !== before) found.push('a prototype was changed');
      const made = Object.getOwnPropertyNames(globalThis).filter((name) => !globals.has(name));
      if (made.length > 0) found.push(`a global was made: ${made.join(', ')}`);
      requests = 0;
      rmSync(file, { force: true });
      return found;
    },
    [Symbol.asyncDispose]: async () => {
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
