import { realpath, stat } from 'node:fs/promises';
import { isIP } from 'node:net';
import { homedir } from 'node:os';
import { isAbsolute, join, parse, sep } from 'node:path';
import {
  type ConnectorConfig,
  ConnectorConfig as ConnectorConfigSchema,
  type ConnectorDraft,
  type ConnectorFolder,
  ConnectorName,
} from '#contract/connectors.ts';
import { defined } from '#contract/defined.ts';
import { AppError } from '#contract/errors.ts';
import { safeParse } from '#contract/safe-parse.ts';
import { hasHidden, makeVisible } from '#contract/visible-text.ts';
import { specialPurpose } from '../base/special-purpose.ts';
import { parseHostPattern } from '../egress/host-pattern.ts';
import { shownTarget, targetOfUrl } from '../egress/target.ts';
import type { ConnectorValues } from '../storage/connector-store.ts';

/** The name under which the secret of an OAuth client is sealed: no header has a space in its name. */
export const OAUTH_SECRET = 'oauth client secret';

const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;
const HEADER = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** A variable of the app in a value. */
const REFERENCE = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;
/** What decides how programs run, or where they reach, and is the sandbox's to set. */
const OF_SANDBOX =
  /^(?:PATH|HOME|PWD|SHELL|USER|LOGNAME|TMPDIR|LD_.*|(?:HTTPS?|ALL|NO)_PROXY|NODE_USE_ENV_PROXY|BASH_ENV|ENV)$/i;
/** Headers that the transport sets. */
const OF_TRANSPORT =
  /^(?:host|content-(?:length|type)|accept|connection|transfer-encoding|mcp-.*)$/i;
/** Folders of the system, which no connector needs as a whole or in part. */
const SYSTEM = [
  ...['/bin', '/boot', '/dev', '/etc', '/lib', '/lib32', '/lib64', '/opt/hyperagent', '/proc'],
  ...['/run', '/sbin', '/sys', '/usr', '/var/run', '/workspace', '/home/agent'],
  ...['/System', '/Library', '/private/etc', '/private/var/run'],
];

export interface CheckedConnector {
  readonly name: string;
  readonly config: ConnectorConfig;
  /** What is to be sealed. */
  readonly values: ConnectorValues;
}

/** A draft that can be stored. Throws `BAD_REQUEST` that says what to correct. */
export async function checkDraft(
  given: string,
  draft: ConnectorDraft,
  { dataDir }: { readonly dataDir: string },
): Promise<CheckedConnector> {
  const parsed = safeParse(ConnectorName, given.trim());
  if (!parsed.success) {
    throw bad(
      `"${given.slice(0, 50)}" is no name for a connector: ${parsed.error.issues[0]?.message}.`,
    );
  }
  const name = parsed.data;
  if (draft.kind === 'remote') return { name, ...remote(draft) };
  const { command, args } = draft;
  for (const word of [command, ...args]) {
    if (word.includes('\0')) throw bad('A command cannot contain the character NUL.');
    if (hasHidden(word))
      throw bad(`"${word.slice(0, 100)}" contains characters that cannot be seen.`);
  }
  for (const host of draft.hosts) {
    if (hasHidden(host))
      throw bad(
        `The host ${makeVisible(host).slice(0, 100)} contains characters that cannot be seen.`,
      );
    parseHostPattern(host);
  }
  const folders: ConnectorFolder[] = [];
  for (const folder of draft.folders) folders.push(await checkFolder(folder, dataDir));
  for (const [variable, value] of Object.entries(draft.env)) {
    if (value.includes('\0')) throw bad(`The value of ${variable} contains the character NUL.`);
    if (!VARIABLE.test(variable)) throw bad(`"${variable}" is no name of a variable.`);
    if (OF_SANDBOX.test(variable)) throw bad(`${variable} is set by the sandbox. Leave it out.`);
  }
  const { stored, values } = split(draft.env);
  const hosts = draft.hosts.map((host) => host.trim());
  return {
    name,
    config: asStored({ kind: 'program', command, args, env: stored, folders, hosts }),
    values,
  };
}

function remote(draft: Extract<ConnectorDraft, { kind: 'remote' }>) {
  const url = URL.parse(draft.url.trim());
  if (url === null || !['https:', 'http:'].includes(url.protocol)) {
    throw bad(
      `"${draft.url.slice(0, 100)}" is no address. Write one like https://example.com/mcp.`,
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw bad('Leave the password out of the address, and set it as a header.');
  }
  const host = hostOf(url);
  const isNear = host === 'localhost' || (isIP(host) !== 0 && specialPurpose(host) !== null);
  if (url.protocol === 'http:' && !isNear) {
    throw bad(`What is sent to ${url.host} by http can be read on the way. Use https.`);
  }
  for (const [header, value] of Object.entries(draft.headers)) {
    if (!HEADER.test(header)) throw bad(`"${header}" is no name of a header.`);
    if (OF_TRANSPORT.test(header))
      throw bad(`The header ${header} is set by the app. Leave it out.`);
    if (/[^\t\u0020-\u007e\u0080-\u00ff]/.test(value)) {
      throw bad(
        `The value of ${header} has characters that a header cannot hold, such as line breaks.`,
      );
    }
  }
  url.hash = '';
  const { stored, values } = split(draft.headers);
  const { clientSecret, ...oauth } = draft.oauth ?? {};
  if (clientSecret !== undefined && oauth.clientId === undefined) {
    throw bad('A client secret needs a client ID. Enter both.');
  }
  if (oauth.metadataUrl !== undefined && URL.parse(oauth.metadataUrl)?.protocol !== 'https:') {
    throw bad('The address of the client metadata document must be https.');
  }
  const secret = split(clientSecret === undefined ? {} : { [OAUTH_SECRET]: clientSecret });
  const [storedSecret] = secret.stored;
  return {
    config: asStored({
      ...{ kind: 'remote' as const, url: url.href, headers: stored },
      ...(draft.oauth === undefined
        ? {}
        : { oauth: { ...oauth, ...defined({ clientSecret: storedSecret?.value }) } }),
    }),
    values: { ...values, ...secret.values },
  };
}

/** Values that may be secrets are sealed; others, and those that refer to variables of the app, are kept as they are. */
function split(given: ConnectorValues) {
  const isPlain = ([name, value]: readonly [string, string]): boolean =>
    value.search(REFERENCE) >= 0 || isNoSecret(name, value);
  const entries = Object.entries(given);
  return {
    stored: entries.map(([name, value]) => ({
      name,
      value: isPlain([name, value]) ? value : null,
    })),
    values: Object.fromEntries(entries.filter((entry) => !isPlain(entry))),
  };
}

const SECRET_NAME =
  /key|token|secret|pass|pwd|pin|code|otp|auth|cred|cookie|session|private|sign|salt|seed/i;
/** Words, numbers, paths, and addresses without a user or a query. */
const PLAIN_VALUE =
  /^(?:[\p{L}_ -]{0,15}|[\d.:,/ -]{0,15}|\.{0,2}(?:\/[\w. -]{1,40}){2,}\/?|\.{0,2}\/[\w. -]{1,15}\/?|[A-Za-z]:\\[\w.\\ -]+|https?:\/\/[\w.:-]+(?:\/[\w.-]{1,20}){0,4}\/?)$/u;

/** Whether a value is certainly none that must be protected. */
function isNoSecret(name: string, value: string): boolean {
  return !SECRET_NAME.test(name) && PLAIN_VALUE.test(value);
}

/** The values that a server gets. Throws `CONNECTOR_UNAVAILABLE` for a variable that is not set. */
export function resolveValues(
  config: ConnectorConfig,
  sealed: ConnectorValues,
  environment: NodeJS.ProcessEnv,
): ConnectorValues {
  return Object.fromEntries(
    namedValues(config).map(({ name, value: plain }) => {
      if (plain === null) return [name, Object.hasOwn(sealed, name) ? (sealed[name] ?? '') : ''];
      const value = plain.replaceAll(REFERENCE, (_all, variable: string) => {
        const found = Object.hasOwn(environment, variable) ? environment[variable] : undefined;
        if (found !== undefined) return found;
        throw new AppError(
          'CONNECTOR_UNAVAILABLE',
          `${name} needs the variable ${variable}, which is not set. Set it, and start the app again.`,
        );
      });
      return [name, value];
    }),
  );
}

function namedValues(config: ConnectorConfig) {
  if (config.kind === 'program') return config.env;
  const secret = config.oauth?.clientSecret;
  return secret === undefined
    ? config.headers
    : [...config.headers, { name: OAUTH_SECRET, value: secret }];
}

/** Hosts that a server can reach, or is. */
export function hostsOf(config: ConnectorConfig): string[] {
  return config.kind === 'program' ? config.hosts : [shownTarget(targetOfUrl(new URL(config.url)))];
}

/** The real folder. Throws `BAD_REQUEST` for one that no connector may see. */
async function checkFolder(
  { path, access }: ConnectorFolder,
  dataDir: string,
): Promise<ConnectorFolder> {
  const refuse = (why: string): never => {
    throw bad(`The folder ${path.slice(0, 200)} cannot be opened to a connector: ${why}`);
  };
  if (!isAbsolute(path) || hasHidden(path)) refuse('write its whole path.');
  const real = await realpath(path).catch(() => refuse('it is not there.'));
  if (!(await stat(real)).isDirectory()) refuse('it is a file. Name the folder that holds it.');
  const homes = [homedir(), await realpath(homedir()).catch(() => homedir())];
  if (real === parse(real).root || homes.some((home) => isIn(home, real))) {
    refuse('choose one folder in it.');
  }
  const own = await realpath(dataDir).catch(() => dataDir);
  if (isIn(real, own) || isIn(own, real)) refuse('the app keeps its own data there.');
  if (SYSTEM.some((folder) => isIn(real, folder))) refuse('it belongs to the system.');
  for (const name of KEYS) {
    const named = homes.map((home) => join(home, name));
    const [first = ''] = named;
    const target = await realpath(first).catch(() => first);
    // Also a folder that holds one of them.
    const isKeys = [...named, target].some((keys) => isIn(real, keys) || isIn(keys, real));
    if (isKeys) refuse('keys are kept there.');
  }
  return { path: real, access };
}

/** Folders of the home where programs keep keys. */
const KEYS = [
  ...['.ssh', '.gnupg', '.aws', '.azure', '.kube', '.docker', '.password-store'],
  ...['.config/gcloud', '.config/gh', '.mozilla', '.config/google-chrome', '.config/chromium'],
  ...['.local/share/keyrings', 'Library/Keychains'],
];

function isIn(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other}${sep}`);
}

/** The host of an address. Throws `BAD_REQUEST`. */
function hostOf(url: URL): string {
  try {
    return targetOfUrl(url).host;
  } catch (cause) {
    throw new AppError('BAD_REQUEST', `"${url.host}" is no host that can be reached.`, { cause });
  }
}

/** What fits into the database, and out of it again. Throws `BAD_REQUEST`. */
function asStored(config: ConnectorConfig): ConnectorConfig {
  const parsed = safeParse(ConnectorConfigSchema, config);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw bad(`${issue?.path.join('.')}: ${issue?.message}`);
}

function bad(message: string): AppError {
  return new AppError('BAD_REQUEST', message);
}
