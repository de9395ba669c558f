import { existsSync, readFileSync, statSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize, sep } from 'node:path';

/** How an episode ended. `reward` is 1 for all that was asked. */
export interface Reward {
  readonly reward: number;
  readonly reason: string;
}

/** The task pages on loopback. */
export interface TaskServer extends AsyncDisposable {
  /** Where the task starts with this seed. Each call is an episode of its own. */
  address(task: string, seed: number): { readonly url: string; readonly episode: string };
  /** What the page reported; null as long as it did not. */
  rewardOf(episode: string): Reward | null;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.png': 'image/png',
  '.gif': 'image/gif',
  '.jpg': 'image/jpeg',
  '.svg': 'image/svg+xml',
};

/**
 * Runs in the page beside the task: starts the episode with the seed of the address, without a time limit and
 * without the counters, and reports the result. It is the only channel between harness and page besides the browser.
 */
const IN_PAGE = `<style>#reward-display, #click-canvas, #sync-task-cover { display: none !important }</style>
<script>
addEventListener('load', () => {
  const query = new URLSearchParams(location.search);
  const start = () => {
    if (!WOB_TASK_READY || core.cover_div === null) return setTimeout(start, 10);
    core.EPISODE_MAX_TIME = 3_600_000;
    Math.seedrandom(query.get('seed'));
    core.startEpisodeReal();
    core.clearTimer();
    const end = core.endEpisode;
    core.endEpisode = (...result) => {
      const count = WOB_EPISODE_ID;
      end(...result);
      if (WOB_EPISODE_ID === count) return;
      const body = JSON.stringify({ reward: WOB_RAW_REWARD_GLOBAL, reason: String(WOB_REWARD_REASON ?? '') });
      fetch('/reward/' + query.get('episode'), { method: 'POST', body, keepalive: true });
    };
  };
  start();
});
</script>`;

/** Serves `folder`, which holds `miniwob/TASK.html`, `core` and `common`, as `site`, a name of this computer. */
export async function serveTasks(folder: string, site: string): Promise<TaskServer> {
  const rewards = new Map<string, Reward>();
  let episodes = 0;
  const server = http.createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://tasks');
    const episode = /^\/reward\/(\w+)$/.exec(pathname)?.[1];
    if (episode !== undefined && request.method === 'POST') {
      void readBody(request).then((body) => {
        if (!rewards.has(episode)) rewards.set(episode, parseReward(body));
        response.writeHead(204).end();
      });
      return;
    }
    const file = fileIn(folder, decodeURIComponent(pathname));
    if (file === null) {
      response.writeHead(404).end();
      return;
    }
    const content = readFileSync(file);
    response.writeHead(200, {
      'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
      'cache-control': 'no-store',
    });
    const isTask = /^\/miniwob\/[\w-]+\.html$/.test(pathname);
    response.end(isTask ? content.toString().replace('</body>', `${IN_PAGE}</body>`) : content);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: (task, seed) => {
      episodes += 1;
      const episode = `e${episodes}`;
      const query = `seed=${seed}&episode=${episode}`;
      return { url: `http://${site}:${port}/miniwob/${task}.html?${query}`, episode };
    },
    rewardOf: (episode) => rewards.get(episode) ?? null,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function fileIn(folder: string, pathname: string): string | null {
  const path = normalize(join(folder, pathname));
  const isInside = path.startsWith(normalize(folder + sep));
  return isInside && existsSync(path) && statSync(path).isFile() ? path : null;
}

async function readBody(request: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** A page may report anything; what is no result counts as a failure. */
function parseReward(body: string): Reward {
  try {
    const { reward, reason } = JSON.parse(body) as Partial<Reward>;
    return { reward: Number(reward), reason: String(reason ?? '') };
  } catch {
    return { reward: Number.NaN, reason: 'no result' };
  }
}
