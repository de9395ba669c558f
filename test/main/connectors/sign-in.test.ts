import { describe, expect, it, onTestFinished } from 'vitest';
import type { ConnectorDraft } from '#contract/connectors.ts';
import { openConnectorBench } from '../../fakes/connectors/connector-bench.ts';
import {
  browse,
  type SignInServerOptions,
  startSignInServer,
} from '../../fakes/connectors/sign-in-server.ts';
import { testKeychain } from '../../setup/secret-hunt.ts';

type OAuth = Extract<ConnectorDraft, { kind: 'remote' }>['oauth'];

async function open(
  options: SignInServerOptions = {},
  bench: Parameters<typeof openConnectorBench>[0] = {},
) {
  const server = await startSignInServer(options);
  const opened = await openConnectorBench({ seal: testKeychain(), ...bench });
  onTestFinished(async () => {
    await opened[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });
  const { connectors } = opened;
  const add = (oauth?: OAuth) =>
    connectors.add('remote', { kind: 'remote', url: server.url, headers: {}, oauth });
  const signIn = async (id: string): Promise<void> => {
    await browse(await connectors.signIn(id));
    await connectors.awaitSignIn(id);
  };
  const refresh = (id: string) =>
    connectors.tools(id, { refresh: true, signal: AbortSignal.timeout(60_000) });
  return { server, bench: opened, connectors, add, signIn, refresh };
}

const shown = ({ connectors }: Awaited<ReturnType<typeof open>>) => connectors.list()[0];
const CLIENT = { id: 'my-app', secret: 'zq-client-secret' };

describe('a server that wants a sign-in', () => {
  it('says so, works once the user has signed in, and no longer after they sign out', async () => {
    const one = await open();
    const { id } = await one.add();
    await expect(one.refresh(id)).rejects.toMatchObject({ code: 'CONNECTOR_UNAVAILABLE' });
    expect(shown(one)?.signIn).toBe('needed');
    await one.signIn(id);
    expect(shown(one)).toMatchObject({ signIn: 'done', problem: null });
    const remote = shown(one);
    if (remote === undefined) throw new Error('It is gone');
    await one.bench.approveAll(remote);
    expect(await one.bench.call(remote, 'look_up', { word: 'tea' })).toMatchObject({
      text: 'tea means something',
    });
    expect((await one.connectors.signOut(id)).signIn).toBe('none');
    await expect(one.bench.call(remote, 'look_up', { word: 'tea' })).rejects.toMatchObject({
      code: 'CONNECTOR_UNAVAILABLE',
    });
    expect(shown(one)?.signIn).toBe('needed');
  });

  it('gets one renewal when many calls find their token expired', async () => {
    const one = await open();
    const remote = await one.add();
    await one.signIn(remote.id);
    await one.bench.approveAll(remote);
    one.server.expire();
    const before = one.server.asked.length;
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) => one.bench.call(remote, 'look_up', { word: `${at}` })),
    );
    expect(answers.map(({ text }) => text)).toEqual(
      Array.from({ length: 8 }, (_, at) => `${at} means something`),
    );
    const later = one.server.asked.slice(before);
    expect(later.filter((path) => path === '/token')).toHaveLength(1);
    expect(later).not.toContain('/authorize');
  });

  it('gets one renewal, too, where a call learns of it only when another has renewed', async () => {
    const one = await open();
    const remote = await one.add();
    await one.signIn(remote.id);
    await one.bench.approveAll(remote);
    one.server.expire();
    const before = one.server.asked.length;
    const renewed = Promise.withResolvers<void>();
    let refusals = 0;
    one.server.holdRefusals(() => {
      refusals += 1;
      return refusals === 1 ? Promise.resolve() : renewed.promise;
    });
    const calls = ['tea', 'milk'].map((word) => one.bench.call(remote, 'look_up', { word }));
    await Promise.race(calls);
    renewed.resolve();
    expect((await Promise.all(calls)).map(({ text }) => text)).toEqual([
      'tea means something',
      'milk means something',
    ]);
    expect(refusals).toBe(2);
    const tokensAsked = (from: number) =>
      one.server.asked.slice(from).filter((path) => path === '/token');
    expect(tokensAsked(before)).toHaveLength(1);

    // Tokens that are refused are renewed again.
    one.server.expire();
    const again = one.server.asked.length;
    const last = await one.bench.call(remote, 'look_up', { word: 'rum' });
    expect(last).toMatchObject({ text: 'rum means something' });
    expect(tokensAsked(again)).toHaveLength(1);
  });

  it('that the user refuses on its page says so, and stays without a sign-in', async () => {
    const one = await open({ answer: 'refuse' });
    const { id } = await one.add();
    await browse(await one.connectors.signIn(id));
    await expect(one.connectors.awaitSignIn(id)).rejects.toThrow('access_denied');
    expect(shown(one)?.signIn).not.toBe('done');
  });
});

describe('a client that the user registered', () => {
  it('signs in with its secret, which is stored sealed and shown nowhere', async () => {
    const one = await open({ client: CLIENT });
    const { id } = await one.add({ clientId: CLIENT.id, clientSecret: CLIENT.secret });
    expect(JSON.stringify(one.connectors.list())).not.toContain(CLIENT.secret);
    expect(shown(one)?.config).toMatchObject({
      oauth: { clientId: CLIENT.id, clientSecret: null },
    });
    await one.signIn(id);
    expect(await one.refresh(id)).toHaveLength(1);
    expect(one.server.asked).not.toContain('/register');
    const headers = one.server.requests.map((request) => JSON.stringify(request.headers));
    expect(headers.join('\n')).not.toContain(CLIENT.secret);
  });

  it('may have its secret in a variable, so that nothing needs to be sealed', async () => {
    const environment: NodeJS.ProcessEnv = {};
    const one = await open({ client: CLIENT }, { seal: null, environment });
    const { id } = await one.add({ clientId: CLIENT.id, clientSecret: '${APP_SECRET}' });
    await expect(one.connectors.signIn(id)).rejects.toThrow('needs the variable APP_SECRET');
    environment.APP_SECRET = CLIENT.secret;
    await one.signIn(id);
    expect(await one.refresh(id)).toHaveLength(1);
  });

  it('is not signed in with a secret that is wrong', async () => {
    const one = await open({ client: CLIENT });
    const { id } = await one.add({ clientId: CLIENT.id, clientSecret: 'another' });
    await expect(one.signIn(id)).rejects.toThrow();
    expect(shown(one)?.signIn).not.toBe('done');
  });

  it('is not known to another authorization server that the server names later', async () => {
    const other = await startSignInServer({ client: CLIENT });
    onTestFinished(() => other[Symbol.asyncDispose]());
    let isMoved = false;
    const origin = new URL(other.url).origin;
    const one = await open({ client: CLIENT, signInAt: () => (isMoved ? origin : undefined) });
    const { id } = await one.add({ clientId: CLIENT.id, clientSecret: CLIENT.secret });
    await one.signIn(id);
    isMoved = true;
    one.server.expire();
    await expect(one.connectors.signIn(id)).rejects.toThrow('your client belongs to 127.0.0.1');
    expect(JSON.stringify(other.requests)).not.toContain(CLIENT.id);
    expect(other.asked.filter((path) => /authorize|register|token/.test(path))).toEqual([]);
    isMoved = false;
    await one.signIn(id);
    expect(await one.refresh(id)).toHaveLength(1);
  });

  it('has an ID, where it has a secret', async () => {
    const { add } = await open();
    await expect(add({ clientSecret: 'x' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });
});
