import { mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { skillRequests } from '#main/api/skills.ts';
import { silentLogger } from '#main/base/logger.ts';
import type { DataStores } from '#main/storage/open-stores.ts';
import { PushHub } from '#main/transport/push-hub.ts';
import { RequestRouter } from '#main/transport/request-router.ts';
import { startWebServer, type WebServer } from '#main/web/web-server.ts';
import { createFakeApp } from '../../fakes/app/fake-app.ts';
import { openData } from '../../fakes/open-data.ts';
import { NO_MARKDOWN_SKILLS, skillsOver } from '../../fakes/skills/skills-over.ts';

/** Skills over real HTTP, from the real API over a real data folder. */

const INSTRUCTIONS = 'what it tells the model';
const DYNAMIC = {
  ...{ id: 'greeter', name: 'Greeter', description: 'Greets.', category: 'creative' },
  author: 'me',
};

let dataDir: string;
let stores: DataStores;
let skills: ReturnType<typeof skillRequests>;
let server: WebServer;
let token: string;

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'hyperagent-api-'));
  stores = openData(dataDir);
  ({ requests: skills } = skillsOver(stores, {
    markdown: {
      ...NO_MARKDOWN_SKILLS,
      list: () => [
        {
          ...{ id: 'exam-tutor', name: 'exam-tutor', version: '1.0.0', category: null },
          ...{ description: 'Asks.', author: 'somebody', tags: [], metadata: null },
          ...{ folder: '/skills/exam-tutor', state: 'needs_review', problem: null },
          allowedTools: ['web_search'],
        },
      ],
      describe: async () => ({
        findings: [],
        markdown: { instructions: INSTRUCTIONS, files: [], steps: [], allowedTools: [] },
      }),
    },
  }));
  await skills['skills.save']({ language: 'javascript', source: JSON.stringify(DYNAMIC) });
  const app = createFakeApp({ dataDir, entryPoint: 'browser', attended: true });
  const hub = new PushHub(app.runs, silentLogger);
  const router = new RequestRouter({ ...app.api, ...skills }, silentLogger);
  server = await startWebServer({
    rendererDir: join(import.meta.dirname, '../../fakes/app/renderer'),
    ...{ port: 0, router, hub, logger: silentLogger },
  });
  token = server.url.split('#token=')[1] ?? '';
});

afterEach(async () => {
  await server[Symbol.asyncDispose]();
  stores.close();
  rmSync(dataDir, { recursive: true, force: true });
});

interface Answer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
  readonly json: unknown;
}

interface Asking {
  readonly method?: string;
  readonly headers?: http.OutgoingHttpHeaders;
  /** Sends the request without the token. */
  readonly bare?: boolean;
}

/** A request exactly as written, with the token unless headers say otherwise. */
function ask(
  path: string,
  { method = 'GET', headers, bare = false }: Asking = {},
): Promise<Answer> {
  const sent = { ...(bare ? {} : { Authorization: `Bearer ${token}` }), ...headers };
  return new Promise((resolve, reject) => {
    const request = http.request(
      { host: '127.0.0.1', port: server.port, path, method, headers: sent, agent: false },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('end', () => {
          const isJson = response.headers['content-type']?.startsWith('application/json') === true;
          resolve({
            ...{ status: response.statusCode ?? 0, headers: response.headers, text },
            json: isJson && text !== '' ? JSON.parse(text) : null,
          });
        });
      },
    );
    request.on('error', reject);
    request.end();
  });
}

const REVIEW_ROW = {
  id: 'code_review',
  name: 'Code Review',
  version: '2.0.1',
  description: 'Finds bugs in code.',
  category: 'code',
  author: 'hyperagent',
  tags: ['quality'],
  risk_level: 'low',
  enabled: true,
  source: 'builtin',
  state: 'ready',
  invocation_count: 0,
  last_invoked_at: null,
  parameters: [
    { name: 'code', type: 'string', description: 'what to look at', required: true },
    { name: 'strict', type: 'boolean', description: 'also style', required: false },
  ],
  required_tools: [],
};
const ids = ({ json }: Answer): string[] =>
  (json as { skills: { id: string }[] }).skills.map(({ id }) => id);

describe('GET /api/v1/skills', () => {
  it('lists the skills of all catalogues, in the snake case of the seeds', async () => {
    const answer = await ask('/api/v1/skills');
    const { skills: rows, ...rest } = answer.json as { skills: unknown[] };

    expect([answer.status, rest]).toEqual([200, { count: 4, category: null }]);
    expect(ids(answer)).toEqual(['code_review', 'exam-tutor', 'greeter', 'web_research']);
    expect(rows[0]).toEqual(REVIEW_ROW);
    expect(rows[1]).toEqual({
      ...{ id: 'exam-tutor', name: 'exam-tutor', version: '1.0.0', description: 'Asks.' },
      ...{ category: null, author: 'somebody', tags: [], risk_level: 'low', enabled: false },
      ...{ source: 'markdown', state: 'needs_review', invocation_count: 0 },
      ...{ last_invoked_at: null, parameters: [], required_tools: [] },
    });
    expect(rows[3]).toMatchObject({ required_tools: ['web_search'], tags: ['web', 'facts'] });
  });

  it('filters by category and by words', async () => {
    const code = await ask('/api/v1/skills?category=code');
    const words = await ask('/api/v1/skills?search=FACTS%20sums');
    const both = await ask('/api/v1/skills?category=research&search=bugs');

    expect(code.json).toEqual({ skills: [REVIEW_ROW], count: 1, category: 'code' });
    expect([ids(words), ids(both)]).toEqual([['web_research'], []]);
    expect(both.json).toEqual({ skills: [], count: 0, category: 'research' });
  });

  it('reports uses and disabled skills', async () => {
    stores.skills.noteInvocation('code_review', 1_700_000_000_000);
    skills['skills.setEnabled']({ skillId: 'code_review', enabled: false });

    expect((await ask('/api/v1/skills?category=code')).json).toMatchObject({
      skills: [
        {
          ...{ invocation_count: 1, last_invoked_at: 1_700_000_000_000 },
          ...{ enabled: false, state: 'disabled' },
        },
      ],
    });
  });

  it.each([
    ['an unknown category', '?category=cooking', /category: .*research.*code/s],
    ['no category at all', '?category=', /category: .*research.*code/s],
    ['an unknown filter', '?name=x', /^Unknown filter name\. Use category or search\.$/],
    ['a filter twice', '?category=code&category=data', /^The filter category is given twice\.$/],
    ['a search without end', `?search=${'x'.repeat(201)}`, /search/],
  ])('refuses %s', async (_what, query, message) => {
    const { status, json } = await ask(`/api/v1/skills${query}`);

    expect([status, json]).toEqual([
      400,
      {
        error: {
          ...{ code: 'BAD_REQUEST', message: expect.stringMatching(message) },
          details: expect.anything(),
        },
      },
    ]);
  });
});

describe('GET /api/v1/skills/{id}', () => {
  it('adds the output schema and the database fields', async () => {
    const { status, json } = await ask('/api/v1/skills/code_review');

    expect([status, json]).toEqual([
      200,
      {
        ...REVIEW_ROW,
        output_schema: {
          type: 'object',
          properties: { findings: { type: 'array' } },
          required: ['findings'],
        },
        module_path: '',
        source_code_hash: null,
        is_builtin: true,
      },
    ]);
  });

  it('names the folder of a Markdown skill and the hash of a dynamic one, never their source', async () => {
    const tutor = await ask('/api/v1/skills/exam-tutor');
    const greeter = await ask('/api/v1/skills/greeter');

    expect(tutor.json).toMatchObject({ module_path: '/skills/exam-tutor', is_builtin: false });
    expect(greeter.json).toMatchObject({
      ...{ source: 'dynamic', author: 'me', is_builtin: false, enabled: false },
      ...{ state: 'needs_review', source_code_hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
    expect(tutor.text).not.toContain(INSTRUCTIONS);
    expect(Object.keys(greeter.json as object)).toEqual(Object.keys(tutor.json as object));
    expect(greeter.text).not.toContain(JSON.stringify(JSON.stringify(DYNAMIC)));
  });

  it.each([
    ['nobody', 404, 'SKILL_UNKNOWN'],
    ['', 404, 'NOT_FOUND'],
    ['code_review/source', 404, 'NOT_FOUND'],
    ['constructor', 404, 'SKILL_UNKNOWN'],
    ['%E0%A4%A', 400, 'BAD_REQUEST'],
    ['..%2f..%2fetc%2fpasswd', 404, 'SKILL_UNKNOWN'],
    ['x'.repeat(101), 400, 'BAD_REQUEST'],
  ])('has no %j', async (name, status, code) => {
    const answer = await ask(`/api/v1/skills/${name}`);

    expect([answer.status, answer.json]).toMatchObject([status, { error: { code } }]);
  });
});

describe('access to the skills API', () => {
  it.each([
    ['no token', null],
    ['another token', `Bearer ${'A'.repeat(43)}`],
    ['an empty token', 'Bearer '],
    ['the start of the token', 'Bearer START'],
    ['the token and more', 'Bearer TOKENA'],
    ['two tokens', 'Bearer TOKEN, Bearer TOKEN'],
    ['another scheme', 'Basic TOKEN'],
    ['the token in the address only', null, '?token=TOKEN'],
  ])('is denied to %s', async (_what, authorization, query = '') => {
    const fill = (text: string): string =>
      text.replaceAll('TOKEN', token).replace('START', token.slice(0, 20));
    const headers = authorization === null ? {} : { Authorization: fill(authorization) };
    const answer = await ask(`/api/v1/skills${fill(query)}`, { headers, bare: true });

    expect([answer.status, answer.headers['www-authenticate'], answer.json]).toEqual([
      401,
      'Bearer',
      {
        error: {
          code: 'UNAUTHORIZED',
          message: 'Send the token from the printed address as "Authorization: Bearer TOKEN".',
          details: {},
        },
      },
    ]);
  });

  it.each([
    ['a host name rebound to this machine', { Host: 'attacker.example:PORT' }],
    ['this host with another port', { Host: '127.0.0.1:1' }],
    ['a foreign origin', { Origin: 'https://attacker.example' }],
    ['the origin of a sandboxed frame', { Origin: 'null' }],
    ['the origin of another local server', { Origin: 'http://localhost:1' }],
    ['a foreign page that loads it', { 'Sec-Fetch-Site': 'cross-site' }],
    ['a token sent twice', { Authorization: ['Bearer TOKEN', 'Bearer TOKEN'] }],
  ])('is denied to %s, even with the token', async (_what, headers) => {
    const fill = (text: string): string =>
      text.replace('PORT', `${server.port}`).replace('TOKEN', token);
    const filled = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        name,
        Array.isArray(value) ? value.map(fill) : fill(String(value)),
      ]),
    );
    const answer = await ask('/api/v1/skills', { headers: filled });

    expect([answer.status, answer.text]).toEqual([403, 'Forbidden origin.']);
  });

  it('is granted to its own page, and as localhost', async () => {
    const { port } = server;
    const own = await ask('/api/v1/skills', { headers: { Origin: `http://127.0.0.1:${port}` } });
    const localhost = await ask('/api/v1/skills', { headers: { Host: `localhost:${port}` } });

    expect([own.status, localhost.status]).toEqual([200, 200]);
    expect(own.headers).not.toHaveProperty('access-control-allow-origin');
  });

  it('is read-only: other methods are refused, and HEAD has no body', async () => {
    const refused = await Promise.all(
      ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].map((method) =>
        ask('/api/v1/skills/code_review', { method }),
      ),
    );
    const head = await ask('/api/v1/skills', { method: 'HEAD' });

    expect(refused.map(({ status, headers: { allow } }) => [status, allow])).toEqual(
      Array.from({ length: 5 }, () => [405, 'GET, HEAD']),
    );
    expect(refused[0]?.json).toMatchObject({ error: { code: 'BAD_REQUEST' } });
    expect([head.status, head.text]).toEqual([200, '']);
    expect((await skills['skills.get']({ skillId: 'code_review' })).skill.summary.state).toBe(
      'ready',
    );
  });

  it('forbids caching, framing and embedding its responses', async () => {
    for (const path of ['/api/v1/skills', '/api/v1/skills/code_review', '/api/v1/skills/nobody']) {
      expect((await ask(path)).headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'cross-origin-resource-policy': 'same-origin',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      });
    }
    expect((await ask('/api/v1/skills')).headers).not.toHaveProperty('etag');
  });

  it('does not exist elsewhere below /api/', async () => {
    const paths = ['/api/', '/api/v1', '/api/v2/skills', '/api/v1/skillsets', '/api/v1/Skills'];
    const answers = await Promise.all(paths.map((path) => ask(path)));

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
  });
});
