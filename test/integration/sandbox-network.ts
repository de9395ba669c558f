import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { describe, expect, it } from 'vitest';
import { Settings } from '#contract/settings.ts';
import type { SandboxProvider } from '#main/sandbox/types.ts';
import { closeServer, countingListener, listen } from '../fakes/addresses/listeners.ts';
import { internalHosts } from '../fakes/addresses/spellings.ts';
import { sandboxBench } from '../fakes/sandbox-bench.ts';

const json = (value: unknown): string => JSON.stringify(value);
const portOf = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
};
const settings = (changes: Record<string, unknown>) => ({ current: Settings.parse(changes) });

/** What every sandbox with a channel must keep to; once for each back-end. */
export function testSandboxNetwork(
  name: string,
  provider: (dir: string) => SandboxProvider,
  { noPorts }: { readonly noPorts?: string } = {},
): void {
  describe(name, () => {
    it('internal addresses in every spelling: nobody comes, with the proxy, around it, or over the module', async () => {
      const listener = await countingListener();
      await using bench = await sandboxBench({ provider });
      const hosts = internalHosts();
      const program = `
import json, os, socket, urllib.request, concurrent.futures
hosts = json.loads(${json(json(hosts))})
port = ${listener.port}
def through_proxy(host):
    try:
        urllib.request.urlopen(f"http://{urllib.request.quote(host, safe='[]:.%')}:{port}/", timeout=20)
        return "answered"
    except urllib.error.HTTPError as error:
        return error.code
    except Exception as error:
        return type(error).__name__
def tunnel(host):
    with socket.create_connection(("127.0.0.1", 8118), 20) as sock:
        sock.sendall(f"CONNECT {host}:{port} HTTP/1.1\\r\\n\\r\\n".encode())
        return sock.recv(64)[9:12].decode()
def socks(host):
    name = host.strip("[]").encode()
    with socket.create_connection(("127.0.0.1", 8118), 20) as sock:
        sock.sendall(b"\\x05\\x01\\x00\\x05\\x01\\x00\\x03" + bytes([len(name)]) + name + port.to_bytes(2, "big"))
        answer = b""
        try:
            while len(answer) < 4:
                piece = sock.recv(64)
                if not piece: break
                answer += piece
        except ConnectionResetError: pass
        return answer[3:4] == b"\\x00"
def direct(host):
    try:
        with socket.create_connection((host.strip("[]"), port), 0.2) as sock: return "connected"
    except Exception: return "failed"
with concurrent.futures.ThreadPoolExecutor(16) as pool:
    print(json.dumps({
        "proxy": [[h, r] for h, r in zip(hosts, pool.map(through_proxy, hosts)) if r == "answered" or isinstance(r, int) and r not in (403, 400)],
        "tunnel": [[h, r] for h, r in zip(hosts, pool.map(tunnel, hosts)) if r not in ("403", "400", "")],
        "socks": [h for h, r in zip(hosts, pool.map(socks, hosts)) if r],
        "direct": [h for h, r in zip(hosts, pool.map(direct, hosts[:60])) if r == "connected"],
    }))
`;
      const ran = await bench.call('execute_code', { language: 'python', code: program });
      const data = ran.data as { stdout: string; stderr: string };
      expect([ran.status, data.stderr]).toEqual(['ok', '']);
      const told = JSON.parse(data.stdout) as Record<string, unknown[]>;
      expect(told).toEqual({ proxy: [], tunnel: [], socks: [], direct: [] });
      const script = `
import hyperagent, json
hosts = json.loads(${json(json(hosts))})
def ask(host):
    try:
        hyperagent.browse(f"http://{host}:${listener.port}/")
        return "answered"
    except hyperagent.HyperagentError as error:
        return "denied" if "not on the public internet" in str(error) else str(error)
print(json.dumps([[host, ask(host)] for host in hosts[:150] if ask(host) != "denied"]))
`;
      const scripted = await bench.call('execute_script', { script });
      expect((scripted.data as { stdout: string }).stdout.trim()).toBe('[]');
      expect(listener.connections()).toBe(0);
      // The listener is there, and the wall is what kept them out.
      expect(bench.egress.store.lines.filter(({ verdict }) => verdict !== 'denied')).toEqual([]);
      expect(bench.egress.store.lines.length).toBeGreaterThan(1000);
      await listener.close();
    });

    it('lets programs out to what the run may reach, by HTTP, tunnel and SOCKS, and writes it down', async () => {
      const seen: string[] = [];
      const server = createServer((request, response) => {
        seen.push(`${request.method} ${request.headers.host} ${request.url}`);
        request.pipe(response);
        if (request.method === 'GET') response.end('x'.repeat(300_000));
      });
      const port = await listen(server, '127.0.0.1');
      const echo = createTcpServer((socket) => socket.pipe(socket));
      await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve));
      const echoPort = (echo.address() as { port: number }).port;
      await using bench = await sandboxBench({
        provider,
        network: 'allowlist',
        allowHosts: [`site.test:${port}`, `site.test:${echoPort}`],
        names: { 'site.test': ['127.0.0.1'], 'other.test': ['127.0.0.1'] },
        settings: settings({ egressPrivateHosts: [`site.test:*`, 'other.test:*'] }),
      });
      const program = `
import socket, urllib.request
big = urllib.request.urlopen("http://site.test:${port}/big").read()
print("get", len(big))
body = b"z" * 2_000_000
back = urllib.request.urlopen(urllib.request.Request("http://site.test:${port}/echo", data=body, method="POST")).read()
print("post", back == body)
try: urllib.request.urlopen("http://other.test:${port}/")
except urllib.error.HTTPError as error: print("other", error.code, "not among the allowed hosts" in error.read().decode())
def echo(sock):
    data = b"ping" * 100_000
    import threading
    threading.Thread(target=lambda: (sock.sendall(data), sock.shutdown(socket.SHUT_WR))).start()
    got = b""
    while piece := sock.recv(65536): got += piece
    return got == data
def tunnel():
  with socket.create_connection(("127.0.0.1", 8118)) as sock:
    sock.sendall(b"CONNECT site.test:${echoPort} HTTP/1.1\\r\\n\\r\\n")
    head = b""
    while not head.endswith(b"\\r\\n\\r\\n"): head += sock.recv(1)
    return head[9:12].decode(), echo(sock)
def socks():
  with socket.create_connection(("127.0.0.1", 8118)) as sock:
    sock.sendall(b"\\x05\\x01\\x00\\x05\\x01\\x00\\x03\\x09site.test" + (${echoPort}).to_bytes(2, "big"))
    answer = b""
    while len(answer) < 12: answer += sock.recv(12 - len(answer))
    return answer[3], echo(sock)
# Many at once: an end on one side must not cut off what the other still has to say.
import concurrent.futures
with concurrent.futures.ThreadPoolExecutor(8) as pool:
    print("tunnels", set(pool.map(lambda _: tunnel(), range(24))))
    print("socks", set(pool.map(lambda _: socks(), range(24))))
`;
      const ran = await bench.call('execute_code', { language: 'python', code: program });
      const { stdout, stderr } = ran.data as { stdout: string; stderr: string };
      expect([stdout.trim().split('\n'), stderr]).toEqual([
        [
          ...['get 300000', 'post True', 'other 403 True'],
          ...["tunnels {('200', True)}", 'socks {(0, True)}'],
        ],
        '',
      ]);
      expect(seen).toEqual([`GET site.test:${port} /big`, `POST site.test:${port} /echo`]);
      await expect
        .poll(() =>
          bench.egress.store.lines.every(
            ({ endedAt, verdict }) => endedAt !== null || verdict === 'denied',
          ),
        )
        .toBe(true);
      const lines = bench.egress.store.lines.map((line) => [
        ...[line.actor, line.runId, line.host, line.port, line.address, line.verdict, line.reason],
        line.sentBytes >= 400_000,
        line.receivedBytes >= 300_000,
      ]);
      expect(lines).toEqual([
        ['sandbox', 'run_1', 'site.test', port, '127.0.0.1', 'allowed', null, false, true],
        ['sandbox', 'run_1', 'site.test', port, '127.0.0.1', 'allowed', null, true, true],
        ['sandbox', 'run_1', 'other.test', port, null, 'denied', 'not_listed', false, false],
        ...Array.from({ length: 48 }, () => [
          ...['sandbox', 'run_1', 'site.test', echoPort, '127.0.0.1', 'allowed', null, true, true],
        ]),
      ]);
      await closeServer(server);
      await new Promise((resolve) => echo.close(resolve));
    });

    it('whoever reads late gets everything, however much was on its way when the other side ended', async () => {
      // Sizes around what the buffers on the way hold, so that for some of them a part is still in each.
      const sizes = Array.from({ length: 24 }, (_, step) => (step + 1) * 16_384);
      const sender = createTcpServer({ allowHalfOpen: true }, (socket) => {
        socket.once('data', (size) => socket.end(Buffer.alloc(Number(String(size)), 'x')));
      });
      const received: number[] = [];
      const reader = createTcpServer({ pauseOnConnect: true }, (socket) => {
        let bytes = 0;
        socket.on('data', (piece) => {
          bytes += piece.length;
        });
        socket.on('end', () => received.push(bytes));
        setTimeout(() => socket.resume(), 1_000);
      });
      const [sends, reads] = await Promise.all([sender, reader].map(portOf));
      await using bench = await sandboxBench({
        provider,
        network: 'allowlist',
        allowHosts: [`site.test:${sends}`, `site.test:${reads}`],
        names: { 'site.test': ['127.0.0.1'] },
        settings: settings({ egressPrivateHosts: ['site.test:*'] }),
      });
      const program = `
import socket, time
def tunnel(port):
    sock = socket.create_connection(("127.0.0.1", 8118))
    sock.sendall(f"CONNECT site.test:{port} HTTP/1.1\\r\\n\\r\\n".encode())
    head = b""
    while not head.endswith(b"\\r\\n\\r\\n"): head += sock.recv(1)
    return sock
sizes = ${json(sizes)}
for size in sizes:
    with tunnel(${reads}) as sock: sock.sendall(b"x" * size)
waiting = [tunnel(${sends}) for _ in sizes]
for size, sock in zip(sizes, waiting):
    sock.sendall(str(size).encode())
    sock.shutdown(socket.SHUT_WR)
time.sleep(1)
def read(sock):
    got = 0
    while piece := sock.recv(65536): got += len(piece)
    return got
print([size for size, sock in zip(sizes, waiting) if read(sock) != size])
`;
      const ran = await bench.call('execute_code', { language: 'python', code: program });
      const { stdout, stderr } = ran.data as { stdout: string; stderr: string };
      expect([stdout.trim(), stderr]).toEqual(['[]', '']);
      await expect
        .poll(() => received.toSorted((a, b) => a - b), { timeout: 10_000 })
        .toEqual(sizes);
      for (const server of [sender, reader]) await new Promise((resolve) => server.close(resolve));
    });

    const onPorts = 'a port inside comes out to whoever holds the runtime, and to nobody else';
    const itHasPorts = noPorts === undefined ? it : it.skip;
    itHasPorts(noPorts === undefined ? onPorts : `${onPorts} (not run: ${noPorts})`, async () => {
      await using bench = await sandboxBench({ provider, network: 'offline' });
      const ran = await bench.call('shell_command', {
        command:
          'echo hello > index.html; python3 -m http.server 5173 --bind 127.0.0.1 >/dev/null 2>&1 & for i in 1 2 3 4 5 6 7 8 9 10; do curl -s --noproxy "*" http://127.0.0.1:5173/ && break; sleep 0.2; done',
      });
      expect((ran.data as { stdout: string }).stdout).toBe('hello\n');
      const signal = new AbortController().signal;
      const runtime = await bench.sandbox.runtime({ signal, onProgress: () => undefined });
      const stream = runtime.network?.connect(5173);
      stream?.write('GET / HTTP/1.0\r\n\r\n');
      let text = '';
      for await (const chunk of stream ?? []) text += String(chunk);
      expect(text).toMatch(/^HTTP\/1\.0 200 OK[\s\S]*hello\n$/);
      const closed = runtime.network?.connect(5174);
      const failure = await new Promise((resolve) => closed?.once('error', resolve));
      expect(String(failure)).toContain('reset');
      // Not on this computer.
      await expect(fetch('http://127.0.0.1:5173/')).rejects.toThrow();
    });

    it('the switch cuts what is open, and between runs nothing is let out', async () => {
      const server = createServer((_request, response) => {
        response.write('first');
      });
      const port = await listen(server, '127.0.0.1');
      const current = settings({ egressPrivateHosts: ['site.test:*'] });
      await using bench = await sandboxBench({
        provider,
        settings: current,
        names: { 'site.test': ['127.0.0.1'] },
      });
      const running = bench.call('shell_command', {
        command: `curl -sN http://site.test:${port}/; echo " code $?"; curl -s http://site.test:${port}/`,
      });
      await expect
        .poll(() =>
          bench.events.some(
            (event) => event.type === 'terminal_output' && event.text.includes('first'),
          ),
        )
        .toBe(true);
      current.current = { ...current.current, egress: 'offline' };
      bench.egress.broker.enforce();
      const { stdout } = (await running).data as { stdout: string };
      expect(stdout).toMatch(
        /^first code (?:18|56)\nsite\.test:\d+ was not contacted: the network is switched off\.\n$/,
      );
      current.current = { ...current.current, egress: 'open' };
      bench.way[Symbol.dispose]();
      const after = await bench.call('shell_command', {
        command: `curl -s http://site.test:${port}/`,
      });
      expect((after.data as { stdout: string }).stdout).toBe(
        'No run of this task is active, so it has no network access.\n',
      );
      await closeServer(server);
    });
  });
}
