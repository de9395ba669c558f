import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Files of `resources/sandbox` for programs inside: their names there and inside. */
const FROM_RESOURCES = [
  ['relay.py', 'relay.py'],
  ['hyperagent.py', 'lib/hyperagent.py'],
] as const;

/** Where systems keep their certificate authorities. */
const SYSTEM_BUNDLES = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
];
/** Bundles of whole systems have about 200 kB. */
const MAX_BUNDLE_BYTES = 4 * 1024 * 1024;

export interface InsideFilesParts {
  readonly stateDir: string;
  readonly resourcesDir: string;
  readonly environment: NodeJS.ProcessEnv;
}

/** The folder of this computer that local sandboxes see as `/opt/hyperagent`. */
export function insideFolder(stateDir: string): string {
  return join(stateDir, 'inside');
}

/**
 * Writes the folder that every sandbox sees read-only as `/opt/hyperagent`: the relay, the helper module,
 * and the certificate authorities that this computer trusts, also company ones. Returns its path.
 */
export async function writeInsideFiles(parts: InsideFilesParts): Promise<string> {
  const dir = insideFolder(parts.stateDir);
  await mkdir(parts.stateDir, { recursive: true, mode: 0o700 });
  await mkdir(join(dir, 'lib'), { recursive: true, mode: 0o755 });
  await Promise.all([
    ...FROM_RESOURCES.map(async ([from, to]) =>
      writeIfOther(join(dir, to), await readFile(join(parts.resourcesDir, from))),
    ),
    readAuthorities(parts.environment).then((bundle) => writeIfOther(join(dir, 'ca.pem'), bundle)),
  ]);
  return dir;
}

async function readAuthorities(environment: NodeJS.ProcessEnv): Promise<Buffer> {
  const { NODE_EXTRA_CA_CERTS: extra, SSL_CERT_FILE: own } = environment;
  const bundles = await Promise.all([
    firstOf(own === undefined ? SYSTEM_BUNDLES : [own, ...SYSTEM_BUNDLES]),
    firstOf(extra === undefined ? [] : [extra]),
  ]);
  const known = bundles.filter((bundle) => bundle.length > 0);
  if (bundles[0]?.length === 0) {
    // macOS and Windows keep theirs in a system store.
    const { getCACertificates } = process.getBuiltinModule('node:tls');
    const system = getCACertificates('system');
    const authorities = system.length > 0 ? system : getCACertificates('bundled');
    known.push(Buffer.from(`${authorities.join('\n')}\n`));
  }
  return Buffer.concat(known.flatMap((bundle) => [bundle, Buffer.from('\n')]));
}

async function firstOf(files: readonly string[]): Promise<Buffer> {
  for (const file of files) {
    const bundle = await readFile(file).catch(() => Buffer.alloc(0));
    if (bundle.length > 0 && bundle.length <= MAX_BUNDLE_BYTES) return bundle;
  }
  return Buffer.alloc(0);
}

/** Replaces the file atomically: a sandbox that starts meanwhile reads the old or the new one. */
async function writeIfOther(file: string, content: Buffer): Promise<void> {
  const known = await readFile(file).catch(() => null);
  if (known?.equals(content)) return;
  const half = join(dirname(file), `.${process.pid}-${performance.now()}`);
  await writeFile(half, content);
  // Programs inside run as another user and must read them, whatever the app's umask is.
  await chmod(half, 0o644);
  await rename(half, file);
}
