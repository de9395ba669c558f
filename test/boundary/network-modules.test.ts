import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');

/**
 * Only the egress broker, and clients of services on this computer, open connections. This lists every
 * module that can reach the network, with the reason, so that adding one is a deliberate decision.
 */
const MAY_REACH: Readonly<Record<string, string>> = {
  'src-main/apps/source-places.ts': 'requests over a stream to the preview of an app',
  'src-main/preview/preview-rules.ts': 'types of headers',
  'src-main/preview/preview-server.ts':
    'listens for the window, under a name that nobody can guess; requests over streams into the sandbox',
  'src-main/preview/stream-agent.ts': 'requests over a stream that it is given',
  'src-main/browser/browser-proxy.ts':
    'listens for the browser, with a credential for each context',
  'src-main/connectors/config.ts': 'classifies addresses',
  'src-main/connectors/callback-listener.ts':
    'listens on loopback while the user signs in, for what carries the state of that sign-in',
  'src-main/egress/dial.ts': 'addresses that the broker checked',
  'src-main/egress/egress-agent.ts': 'connections of an egress client',
  'src-main/egress/egress-broker.ts': 'types of sockets',
  'src-main/egress/fetch.ts': 'requests over an egress client',
  'src-main/egress/fetch-through.ts': 'requests over an egress client',
  'src-main/egress/decide.ts': 'classifies addresses',
  'src-main/base/special-purpose.ts': 'classifies addresses',
  'src-main/guardrails/url-scan.ts': 'classifies addresses',
  'src-main/egress/target.ts': 'classifies addresses',
  'src-main/egress/proxy/egress-proxy.ts': 'reads requests of sandboxed programs',
  'src-main/egress/proxy/http-proxy.ts': 'requests over an egress client',
  'src-main/images/image-http.ts': 'types of agents, and a web socket over an injected one',
  'src-main/images/types.ts': 'types of agents',
  'src-main/models/files/download-transfer.ts': 'requests over an egress client',
  'src-main/models/transport/create-agent.ts': 'model servers on loopback',
  'src-main/models/transport/http-stream.ts': 'requests over an injected agent',
  'src-main/models/transport/server-connection.ts': 'types of agents',
  'src-main/sandbox/docker-provider/engine-client.ts': 'the socket of the Docker engine',
  'src-main/sandbox/e2b-provider/e2b-http.ts': 'requests over an injected fetch',
  'src-main/sandbox/inside-files.ts': 'reads the certificate authorities of this computer',
  'src-main/sandbox/landlock-provider/call-supervisor.ts':
    'one end of a socket pair whose other end a program has; a process of its own',
  'src-main/sandbox/landlock-provider/landlock-launcher.ts':
    'the stream that it inherited from the app',
  'src-main/sandbox/isolation-probes/probe-targets.ts':
    'listens, to detect probes that get through',
};
const REACHES =
  /from 'node:(?:net|http|https|http2|tls|dns|dns\/promises|dgram)'|getBuiltinModule\('node:(?:net|http|https|http2|tls|dns|dgram)|(?<![\w.#])fetch\(|(?<![\w.#])fetch\)\(|new WebSocket\(|EventSource\(|XMLHttpRequest/;

test('only the listed modules can reach the network', () => {
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
  // Entry points serve, and have their own rules.
  const dialling = found.filter((file) => !/^src-main\/(?:web|cli|window)\//.test(file));
  expect(dialling.sort()).toEqual(Object.keys(MAY_REACH).sort());
});
