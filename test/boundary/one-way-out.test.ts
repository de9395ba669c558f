import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');

/**
 * Nothing in main dials but the broker, and those who speak to this very computer. A module that can
 * reach the network is named here with what it reaches, so that a new one is a decision.
 */
const MAY_REACH: Readonly<Record<string, string>> = {
  'src-main/egress/dial.ts': 'what the broker looked at',
  'src-main/egress/egress-agent.ts': 'connections of a door',
  'src-main/egress/egress-broker.ts': 'types of sockets',
  'src-main/egress/fetch.ts': 'requests over a door',
  'src-main/egress/fetch-through.ts': 'requests over a door',
  'src-main/egress/decide.ts': 'tells addresses apart',
  'src-main/base/special-purpose.ts': 'tells addresses apart',
  'src-main/guardrails/url-scan.ts': 'tells addresses apart',
  'src-main/egress/target.ts': 'tells addresses apart',
  'src-main/egress/proxy/egress-proxy.ts': 'reads requests of programs inside',
  'src-main/egress/proxy/http-proxy.ts': 'requests over a door',
  'src-main/models/transport/create-agent.ts': 'model servers on loopback',
  'src-main/models/transport/http-stream.ts': 'requests over an agent that it is given',
  'src-main/models/transport/server-connection.ts': 'types of agents',
  'src-main/sandbox/docker-provider/engine-client.ts': 'the socket of the engine',
  'src-main/sandbox/e2b-provider/e2b-http.ts': 'requests over the fetch that it is given',
  'src-main/sandbox/inside-files.ts': 'reads the authorities of this computer',
  'src-main/sandbox/isolation-probes/probe-targets.ts':
    'listens, to see whether probes get through',
};
const REACHES =
  /from 'node:(?:net|http|https|http2|tls|dns|dns\/promises|dgram)'|getBuiltinModule\('node:(?:net|http|https|http2|tls|dns|dgram)|(?<![\w.#])fetch\(|(?<![\w.#])fetch\)\(|new WebSocket\(|EventSource\(|XMLHttpRequest/;

test('only those that are named can reach the network', () => {
  const files = globSync('src-main/**/*.ts', { cwd: root }).map((file) =>
    file.split(path.sep).join('/'),
  );
  expect(files.length).toBeGreaterThan(300);
  const found = files.filter((file) => {
    const source = readFileSync(path.join(root, file), 'utf8').replace(
      /\/\*[\s\S]*?\*\/|\/\/.*$/gm,
      '',
    );
    return REACHES.test(source);
  });
  // The doors serve; they are held to their own rules.
  const dialling = found.filter((file) => !/^src-main\/(?:web|cli|ipc|window)\//.test(file));
  expect(dialling.sort()).toEqual(Object.keys(MAY_REACH).sort());
});
