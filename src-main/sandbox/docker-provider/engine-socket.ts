import { createHash } from 'node:crypto';
import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

/** Where the user's engine is, as their own `docker` command would find it. */
export type EngineAddress =
  | { readonly kind: 'local'; readonly socketPath: string }
  /** Another computer, which cannot use folders of this one. */
  | { readonly kind: 'remote'; readonly address: string }
  | { readonly kind: 'none' };

export interface EngineQuestion {
  readonly environment: NodeJS.ProcessEnv;
  readonly home: string;
  readonly platform: NodeJS.Platform;
}

/** DOCKER_HOST, then the current context, then the first usual socket that exists. */
export async function findEngine(question: EngineQuestion): Promise<EngineAddress> {
  const named = question.environment.DOCKER_HOST ?? (await addressOfContext(question));
  if (named !== undefined && named !== '') return parseAddress(named);
  for (const socketPath of usualSockets(question)) {
    if (await exists(socketPath)) return { kind: 'local', socketPath };
  }
  return { kind: 'none' };
}

/** Docker itself, Docker Desktop, rootless, Colima, Rancher Desktop, OrbStack, Podman. */
export function usualSockets({ environment, home, platform }: EngineQuestion): string[] {
  if (platform === 'win32') {
    return ['//./pipe/docker_engine', '//./pipe/dockerDesktopLinuxEngine'];
  }
  const runtimeDir = environment.XDG_RUNTIME_DIR;
  return [
    '/var/run/docker.sock',
    '/run/docker.sock',
    join(home, '.docker/run/docker.sock'),
    join(home, '.docker/desktop/docker.sock'),
    ...(runtimeDir === undefined ? [] : [join(runtimeDir, 'docker.sock')]),
    join(home, '.colima/default/docker.sock'),
    join(home, '.rd/docker.sock'),
    join(home, '.orbstack/run/docker.sock'),
    ...(runtimeDir === undefined ? [] : [join(runtimeDir, 'podman/podman.sock')]),
    '/run/podman/podman.sock',
  ];
}

function parseAddress(address: string): EngineAddress {
  const local = /^(?:unix|npipe):\/\/(.*)$/.exec(address)?.[1];
  return local === undefined ? { kind: 'remote', address } : { kind: 'local', socketPath: local };
}

const DockerConfig = z.object({ currentContext: z.string().nullish() });
const ContextMeta = z.object({ Endpoints: z.object({ docker: z.object({ Host: z.string() }) }) });

async function addressOfContext({
  environment,
  home,
}: EngineQuestion): Promise<string | undefined> {
  const folder = environment.DOCKER_CONFIG ?? join(home, '.docker');
  try {
    const config = DockerConfig.parse(await readJson(join(folder, 'config.json')));
    const name = environment.DOCKER_CONTEXT ?? config.currentContext ?? 'default';
    if (name === 'default') return undefined;
    const id = createHash('sha256').update(name).digest('hex');
    const meta = await readJson(join(folder, 'contexts/meta', id, 'meta.json'));
    return ContextMeta.parse(meta).Endpoints.docker.Host;
  } catch {
    // No configuration, or an unknown kind: the usual sockets are tried.
    return undefined;
  }
}

async function readJson(file: string): Promise<unknown> {
  return JSON.parse(await readFile(file, 'utf8'));
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch {
    return false;
  }
}
