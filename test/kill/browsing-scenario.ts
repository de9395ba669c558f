import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { closeServer, listen } from '../fakes/addresses/listeners.ts';
import { browserForTests } from '../fakes/browser/open-browsers.ts';
import {
  type DirectedReply,
  type DirectedRequest,
  startDirectedModel,
} from '../fakes/directed-model.ts';
import type { KillScenario } from './scenario.ts';

const SHOP = `<!doctype html><title>Tea shop</title><h1>Order tea</h1>
<form action="/order" method="post"><label>Name <input name="name"></label><button>Place order</button></form>`;
const ANSWER = 'It is ordered.';

/** Does what the newest result asks for, as a model would: after a restart, that is another page than before. */
function direct({ results }: DirectedRequest, shop: string): DirectedReply {
  const last = results.at(-1) ?? '';
  const isDone = (result: string): boolean =>
    result.includes('Order 4711') || result.includes('says that it happened');
  if (results.some(isDone)) return { content: ANSWER };
  const act = (name: string, given: Record<string, string>): DirectedReply => ({
    calls: [{ name, arguments: given }],
  });
  const refOf = (element: string): string =>
    results
      .flatMap((result) => new RegExp(`\\[(e\\d+)\\] ${element}`).exec(result)?.[1] ?? [])
      .at(-1) ?? '';
  if (results.length === 0) return act('browser_navigate', { url: shop });
  if (last.includes('Typed into'))
    return act('browser_click', { ref: refOf('button "Place order"') });
  return act('browser_type', { ref: refOf('textbox "Name"'), text: 'Ada' });
}

/** A form is filled and sent, once, after an approval: on a site that counts. One life at a time. */
export const BROWSING_SCENARIO: KillScenario = {
  prompt: 'Use the browser to order tea for Ada.',
  answer: ANSWER,
  marks: ['order'],
  options: { network: 'open' },
  settings: { egress: 'open', egressPrivateHosts: ['127.0.0.1:*'] },
  // What a page is asked for again after a restart is no fault.
  compared: [],
  serve: async () => {
    let orders: string[] = [];
    const shop = createServer(async (request, response) => {
      const body = await text(request).catch(() => null);
      // A browser that was killed while it sent has ordered nothing.
      if (body === null) return;
      if (request.url === '/effects') {
        response.end(orders.map(() => 'order\n').join(''));
        return;
      }
      if (request.method === 'POST') orders.push(body);
      response.setHeader('content-type', 'text/html');
      response.end(request.method === 'POST' ? '<p>Order 4711 is on its way.' : SHOP);
    });
    const address = `http://127.0.0.1:${await listen(shop, '127.0.0.1')}/`;
    const model = await startDirectedModel((request) => direct(request, address));
    const browser = path.dirname((await browserForTests()) ?? '');
    const folder = await mkdtemp(path.join(tmpdir(), 'hyperagent-browsing-'));
    return {
      url: model.url,
      // What a killed life leaves is looked for there.
      env: { PATH: `${browser}${path.delimiter}${process.env.PATH}`, TMPDIR: folder },
      effectsUrl: `${address}effects`,
      forget: () => {
        orders = [];
      },
      [Symbol.asyncDispose]: async () => {
        await model[Symbol.asyncDispose]();
        await closeServer(shop);
        await rm(folder, { recursive: true, force: true });
      },
    };
  },
};
