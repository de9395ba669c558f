import { createHash, randomUUID } from 'node:crypto';
import { startRemoteServer } from './remote-server.ts';

export interface SignInServerOptions {
  /** A client that its user registered; without it clients register themselves. */
  readonly client?: { readonly id: string; readonly secret: string };
  /** How long its tokens are valid, in seconds. */
  readonly tokenSeconds?: number;
  /** What the user answers on its page. */
  readonly answer?: 'agree' | 'refuse';
  /** Where it says that its users sign in; itself by default. */
  readonly signInAt?: () => string | undefined;
}

const json = (value: object, status = 200) => Response.json(value, { status });

/** A remote server that wants a sign-in, and is its own authorization server: OAuth 2.1 with PKCE. */
export async function startSignInServer(options: SignInServerOptions = {}) {
  const { client, tokenSeconds = 3_600, answer = 'agree', signInAt } = options;
  const clients = new Map<string, string | null>(
    client === undefined ? [] : [[client.id, client.secret]],
  );
  const codes = new Map<string, string>();
  const valid = new Set<string>();
  const refreshes = new Set<string>();
  const asked: string[] = [];
  let beforeRefusal = async (): Promise<void> => undefined;

  const authorize = (url: URL): Response => {
    const given = url.searchParams;
    if (!clients.has(given.get('client_id') ?? '')) return json({ error: 'invalid_client' }, 400);
    const back = new URL(given.get('redirect_uri') ?? '');
    back.searchParams.set('state', given.get('state') ?? '');
    back.searchParams.set('iss', url.origin);
    if (answer === 'refuse') back.searchParams.set('error', 'access_denied');
    else {
      const code = randomUUID();
      codes.set(code, given.get('code_challenge') ?? '');
      back.searchParams.set('code', code);
    }
    return Response.redirect(back, 302);
  };

  const token = async (request: Request): Promise<Response> => {
    const given = new URLSearchParams(await request.text());
    if (!isKnown(request.headers.get('authorization'), given)) {
      return json({ error: 'invalid_client' }, 401);
    }
    const challenge = createHash('sha256')
      .update(given.get('code_verifier') ?? '')
      .digest('base64url');
    const isFresh = codes.get(given.get('code') ?? '') === challenge;
    const isRefresh = refreshes.delete(given.get('refresh_token') ?? '');
    if (!isFresh && !isRefresh) return json({ error: 'invalid_grant' }, 400);
    codes.delete(given.get('code') ?? '');
    const [access, refresh] = [`access ${randomUUID()}`, `refresh ${randomUUID()}`];
    valid.add(access);
    refreshes.add(refresh);
    return json({
      ...{ access_token: access, refresh_token: refresh, token_type: 'Bearer' },
      expires_in: tokenSeconds,
    });
  };

  const isKnown = (header: string | null, given: URLSearchParams): boolean => {
    const basic = Buffer.from(header?.replace(/^Basic /, '') ?? '', 'base64').toString();
    const [id, secret] =
      header === null ? [given.get('client_id'), given.get('client_secret')] : basic.split(':');
    const wanted = clients.get(decodeURIComponent(id ?? ''));
    return wanted === null || (wanted !== undefined && wanted === decodeURIComponent(secret ?? ''));
  };

  const remote = await startRemoteServer(async (request) => {
    const url = new URL(request.url);
    asked.push(url.pathname);
    switch (url.pathname) {
      case '/mcp': {
        const bearer = request.headers.get('authorization')?.replace(/^Bearer /, '') ?? '';
        if (valid.has(bearer)) return null;
        await beforeRefusal();
        const about = `Bearer resource_metadata="${url.origin}/.well-known/oauth-protected-resource/mcp"`;
        return new Response('no', { status: 401, headers: { 'www-authenticate': about } });
      }
      case '/.well-known/oauth-protected-resource/mcp':
        return json({
          resource: `${url.origin}/mcp`,
          authorization_servers: [signInAt?.() ?? url.origin],
        });
      case '/.well-known/oauth-authorization-server':
        return json({
          ...{ issuer: url.origin, authorization_endpoint: `${url.origin}/authorize` },
          token_endpoint: `${url.origin}/token`,
          ...(client === undefined ? { registration_endpoint: `${url.origin}/register` } : {}),
          ...{ response_types_supported: ['code'], code_challenge_methods_supported: ['S256'] },
          grant_types_supported: ['authorization_code', 'refresh_token'],
          token_endpoint_auth_methods_supported: ['none', 'client_secret_basic'],
          authorization_response_iss_parameter_supported: true,
        });
      case '/register': {
        const id = `client-${clients.size + 1}`;
        clients.set(id, null);
        const wished = (await request.json()) as object;
        return json({ ...wished, client_id: id }, 201);
      }
      case '/authorize':
        return authorize(url);
      case '/token':
        return await token(request);
      default:
        return new Response('no', { status: 404 });
    }
  });
  return {
    ...remote,
    /** The paths that were asked for, in order. */
    asked,
    /** Ends all access tokens, as a server does after a while. */
    expire: () => valid.clear(),
    /** Waits for this before each call that has no valid token is refused. */
    holdRefusals: (until: () => Promise<void>) => {
      beforeRefusal = until;
    },
  };
}

/** What the browser of a user does with the page of a sign-in: opens it, and goes where it leads. */
export async function browse(page: string | null): Promise<void> {
  if (page === null) throw new Error('There is no page to sign in at');
  const answer = await fetch(page, { redirect: 'manual' });
  const next = answer.headers.get('location');
  if (next === null) throw new Error(`The authorization server answered ${answer.status}`);
  await fetch(next);
}
