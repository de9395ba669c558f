import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { attempt } from '../../fakes/browser/attempt.ts';
import { type OpenBrowsers, openBrowsers } from '../../fakes/browser/open-browsers.ts';
import { processesBelow, socketsOf } from '../../fakes/browser/process-tree.ts';
import { page, type Site, startSite } from '../../fakes/browser/site.ts';
import { chromiumNote, chromiumPath } from '../../setup/chromium.ts';

const isHere = chromiumPath !== null && process.platform === 'linux';

describe.skipIf(!isHere)(`the port of the browser's proxy${chromiumNote}`, () => {
  let site: Site;
  let opened: OpenBrowsers;
  let ports: number[];
  beforeAll(async () => {
    site = await startSite();
    const before = listening();
    opened = await openBrowsers();
    for (const thread of ['thr_1', 'thr_2']) {
      const task = opened.browsers.forTask(thread);
      const came = await attempt(task, { kind: 'navigate', url: site.url('/good') }, opened.run());
      expect(came.text).toContain('All is well');
    }
    ports = [...listening()]
      .filter((local) => !before.has(local))
      .map((local) => Number(local.split(':').at(-1)));
  });
  afterAll(async () => {
    await opened[Symbol.asyncDispose]();
    await site[Symbol.asyncDispose]();
  });

  const listening = (): Set<string> =>
    new Set(
      socketsOf([process.pid])
        .filter(({ protocol, remote }) => protocol.startsWith('tcp') && remote.endsWith(':0'))
        .map(({ local }) => local),
    );

  async function say(port: number, bytes: string | Buffer): Promise<string> {
    const socket = connect(port, '127.0.0.1');
    let heard = '';
    socket
      .on('error', () => undefined)
      .on('data', (data) => {
        heard += data.toString('latin1');
      });
    await once(socket, 'connect');
    socket.write(bytes);
    await Promise.race([once(socket, 'close'), expect.poll(() => heard).not.toBe('')]);
    socket.destroy();
    return heard;
  }

  it('is on loopback only, and debugging is on no port', () => {
    const all = socketsOf([process.pid, ...processesBelow().keys()]).filter(
      ({ protocol, remote }) => protocol.startsWith('tcp') && remote.endsWith(':0'),
    );
    expect(ports.length).toBeGreaterThan(0);
    expect(
      all.map(({ local }) => local).filter((local) => !local.startsWith('127.0.0.1:')),
    ).toEqual([]);
    const ofBrowser = socketsOf(processesBelow().keys()).filter(
      ({ protocol, remote }) => protocol.startsWith('tcp') && remote.endsWith(':0'),
    );
    expect(ofBrowser).toEqual([]);
    expect(
      [...processesBelow().values()].filter((command) => /remote-debugging-port/.test(command)),
    ).toEqual([]);
  });

  it('gives nothing to other processes without the credential of a task', async () => {
    const target = `site.test:${site.port}`;
    const auths = [
      '',
      ...[
        '',
        ':',
        'thr_1:',
        'thr_1:thr_1',
        'run_1:x',
        'browser:browser',
        `${'a'.repeat(5000)}:x`,
      ].map((pair) => `Proxy-Authorization: Basic ${Buffer.from(pair).toString('base64')}\r\n`),
      'Proxy-Authorization: Basic\r\n',
      'Proxy-Authorization: Basic ====\r\n',
      'Proxy-Authorization: Bearer x\r\n',
      'Proxy-Authorization: Negotiate x\r\n',
      `Authorization: Basic ${Buffer.from('thr_1:x').toString('base64')}\r\n`,
    ];
    const requests = auths.flatMap((auth) => [
      `GET http://${target}/stolen HTTP/1.1\r\nHost: ${target}\r\n${auth}\r\n`,
      `CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n${auth}\r\n`,
    ]);
    const before = opened.connections.length;
    const answers: string[] = [];
    for (const port of ports) {
      for (const request of requests) answers.push((await say(port, request)).slice(0, 12));
      answers.push(
        (await say(port, `GET /stolen HTTP/1.1\r\nHost: ${target}\r\n\r\n`)).slice(0, 12),
      );
      answers.push(
        (
          await say(
            port,
            `GET ws://${target}/stolen HTTP/1.1\r\nHost: ${target}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n`,
          )
        ).slice(0, 12),
      );
      // SOCKS5 with no method, and with a name and a password.
      answers.push(
        await say(port, Buffer.from([5, 1, 0])),
        await say(port, Buffer.from([5, 2, 0, 2])),
      );
    }
    const given = answers.filter(
      (answer) => !/^(HTTP\/1\.1 (407|400|403|405|501))?$/.test(answer) && answer !== '\x05\xff',
    );
    expect(given).toEqual([]);
    expect(answers.filter((answer) => answer === 'HTTP/1.1 407').length).toBeGreaterThanOrEqual(20);
    expect(site.requests.filter((line) => line.includes('stolen'))).toEqual([]);
    expect(opened.connections.length).toBe(before);
  });

  it('is not reached by a page, even where its port is known', async () => {
    const [port = 0] = ports;
    site.pages.set(
      '/knows',
      page(`<h1>Knows</h1><iframe src="http://127.0.0.1:${port}/"></iframe><script>
for (const host of ['127.0.0.1', 'localhost', '[::1]', 'site.test']) { fetch('http://' + host + ':${port}/http://site.test:${site.port}/stolen', { mode: 'no-cors', headers: {} }).catch(() => 0); new WebSocket('ws://' + host + ':${port}/'); }
</script>`),
    );
    const browser = opened.browsers.forTask('thr_1');
    await attempt(browser, { kind: 'navigate', url: site.url('/knows') }, opened.run());
    const gone = await attempt(
      browser,
      { kind: 'navigate', url: `http://127.0.0.1:${port}/` },
      opened.run(),
    );
    expect(gone.ok).not.toBe(true);
    expect(site.requests.filter((line) => line.includes('stolen'))).toEqual([]);
  });

  it('the credential is on no command line and in no environment', () => {
    const found = [...processesBelow().values()].filter((command) =>
      /Proxy-Authorization|proxy-server=\S*@|proxy-auth/i.test(command),
    );
    expect(found).toEqual([]);
  });
});
