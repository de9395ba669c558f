import { stripVTControlCharacters } from 'node:util';
import { makeVisible } from '#contract/visible-text.ts';
import { KnownSecrets } from '../base/known-secrets.ts';
import { Redactor } from '../base/redactor.ts';
import type { Identity } from './identity.ts';
import { withoutLabelledSecrets } from './labelled-secrets.ts';
import { withoutSecretLooking } from './secret-looking.ts';

export interface CleanerParts {
  /** The secrets that the app knows. */
  readonly secrets: KnownSecrets;
  /** Of this process: values of variables that are named like secrets are secrets. */
  readonly env: NodeJS.ProcessEnv;
  readonly identity: Identity;
  /** The folder of the program: `[app]`. */
  readonly root: string;
  readonly dataDir: string;
}

const EMAIL =
  /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]{1,64}@(?!\d+(?:\.\d+){0,2}(?![\p{L}\p{N}.]))[\p{L}\p{N}.-]{1,255}(?<=[\p{L}\p{N}])/gu;
const SECRET_VARIABLE = /key|token|secret|passw|passphrase|credential|auth|cookie|proxy/i;
/** How often texts are unescaped in search of what the escapes hide. */
const MAX_DEPTH = 4;
/** Longer values are cut before anything is searched in them. */
const MAX_CHARS = 16_000;
const MAX_SHOWN_CHARS = 4_000;

/**
 * Removes secrets and personal details from texts of any origin, and makes what cannot be seen visible. It works on
 * the text and on what its escapes stand for: `\u0073` in JSON, `%73` in addresses, and characters without width.
 */
export class TextCleaner {
  readonly #redactors: readonly Redactor[];
  readonly #personal: readonly (readonly [RegExp, string])[];
  readonly #shownFolders: readonly string[];

  constructor({ secrets, env, identity, root, dataDir }: CleanerParts) {
    recall(secrets);
    const ofEnvironment = new KnownSecrets();
    for (const [name, value = ''] of Object.entries(env)) {
      if (SECRET_VARIABLE.test(name)) ofEnvironment.register(value);
      ofEnvironment.register(URL.parse(value)?.password ?? '');
    }
    this.#redactors = [new Redactor(secrets), new Redactor(ofEnvironment)];
    const { homes, users, hosts } = identity;
    this.#personal = [
      ...folderPatterns([root]).map((pattern) => [pattern, '[app]'] as const),
      ...folderPatterns(homes).map((pattern) => [pattern, '~'] as const),
      [/((?:^|[^\w~])(?:\/home|\/Users)\/)[^\s/"'`<>:;,()]+/g, '$1[user]'],
      [/(\b[A-Z]:[\\/]+Users[\\/]+)[^\s\\/"'`<>:;,()]+/gi, '$1[user]'],
      [EMAIL, '[email]'],
      ...users.map((name) => [namePattern(name), '[user]'] as const),
      ...hosts.map((name) => [namePattern(name), '[host]'] as const),
    ];
    this.#shownFolders = ['[app]', this.#withoutPersonal(dataDir)];
  }

  /** One line of the document, for a value that is no content of a task. */
  line(value: string): string {
    return oneLine(this.text(value));
  }

  /** The same for a text of the log: other addresses are cut to their host, and paths to the folder of the app. */
  logLine(value: string): string {
    return oneLine(withoutAddresses(this.#withoutPaths(this.text(value))));
  }

  /** An address without user, password, query and fragment. */
  address(value: string): string {
    return this.line(value.replace(/[?#].*$/s, ''));
  }

  /** Field names whose values are secrets. */
  isSecretField(name: string): boolean {
    return this.#redactors[0]?.isSecretField(name) === true;
  }

  /** Without secrets and personal details. May have several lines and invisible characters. */
  text(value: string): string {
    const isLong = value.length > MAX_CHARS;
    let shown = this.#clean(isLong ? value.slice(0, MAX_CHARS) : value);
    let inner = shown;
    for (let depth = 0; depth < MAX_DEPTH; depth += 1) {
      const plain = unescaped(inner);
      if (plain === inner) break;
      inner = this.#clean(plain);
      // The escapes hid something: the text is shown without them.
      if (inner !== plain) shown = inner;
    }
    // A secret may have been cut at the end of what was searched.
    return isLong ? shown.slice(0, MAX_SHOWN_CHARS) : shown;
  }

  #clean(text: string): string {
    let clean = text;
    for (const redactor of this.#redactors) clean = redactor.text(clean);
    // Up to the last `@` before the path, as addresses are parsed.
    clean = clean.replace(/(\b[a-z][a-z0-9+.-]{1,30}:[\\/]{2})[^\s/?#"'`<>]*@/gi, '$1[redacted]@');
    return withoutSecretLooking(this.#withoutPersonal(withoutLabelledSecrets(clean)));
  }

  #withoutPersonal(text: string): string {
    let clean = text;
    for (const [pattern, name] of this.#personal) clean = clean.replace(pattern, name);
    return clean;
  }

  /** Below the home folder and in folders of tasks, names of files are the user's own words. */
  #withoutPaths(text: string): string {
    const ofTasks = /((?:workspaces|pictures|folder-backups|attachments)[\\/]+\w+[\\/]+)[^"'`\n]+/g;
    return text.replace(ofTasks, '$1…').replace(/~[\\/]+(?:(?!:\s)[^"'`\n<>|])*/g, (path) => {
      return this.#shownFolders.some((folder) => path.startsWith(folder)) ? path : '~/…';
    });
  }
}

/** Stored keys are searched for, too, if they can be read. */
function recall(secrets: KnownSecrets): void {
  try {
    secrets.recall();
  } catch {
    // The database is damaged. The log was written without these keys, and their kinds are known.
  }
}

/** Folders however they are spelled: with other separators, doubled ones, `.`, other case, or escaped. */
function folderPatterns(folders: readonly string[]): RegExp[] {
  return folders.flatMap((folder) => {
    const parts = folder.split(/[\\/]+/).filter((part) => part !== '' && !/^[a-z]:$/i.test(part));
    // The root of a disk says nothing of anyone.
    if (parts.length === 0) return [];
    const [drive = ''] = /^[a-z]:/i.exec(folder) ?? [];
    const spelled = parts.map((part) => {
      const forms = [part, part.normalize('NFC'), part.normalize('NFD'), encodeURIComponent(part)];
      return `(?:${[...new Set(forms)].map(literally).join('|')})`;
    });
    const separator = '[\\\\/]+(?:\\.[\\\\/]+)*';
    const path = `${drive}${separator}${spelled.join(separator)}`;
    return [new RegExp(`(?<![\\p{L}\\p{N}_.~-])${path}(?![\\p{L}\\p{N}_-])`, 'giu')];
  });
}

function namePattern(name: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])${literally(name)}(?![\\p{L}\\p{N}])`, 'giu');
}

/** A pattern for exactly this text. */
function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/** Addresses elsewhere say what was read: only their hosts stay. Those of this computer are model servers. */
function withoutAddresses(text: string): string {
  return text.replace(
    /\b(https?:\/\/)([^\s/?#"'`<>\\]+)([^\s"'`<>\\]*)/gi,
    (_all, scheme: string, host: string, rest: string) => {
      const isHere = /(?:^|@)(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/i.test(host);
      const kept = isHere ? rest.replace(/[?#].*$/, '') : rest.length > 1 ? '/…' : rest;
      return scheme + host + kept;
    },
  );
}

const ESCAPES = /\\u\{?([0-9a-f]{4,6})\}?|\\x([0-9a-f]{2})|\\([\\/"'])/gi;

/** One level of escapes resolved, and without characters that have no width. */
function unescaped(text: string): string {
  const plain = text
    .replace(ESCAPES, (all, unicode?: string, hex?: string, sign?: string) => {
      if (sign !== undefined) return sign;
      const code = Number.parseInt(unicode ?? hex ?? '', 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : all;
    })
    .replace(/(?:%[0-9a-f]{2})+/gi, (all) => {
      return Buffer.from(all.replaceAll('%', ''), 'hex').toString('utf8');
    })
    .replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(commat|colon|equals|quot|apos));/gi, entity);
  return (
    stripVTControlCharacters(plain)
      .replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
      // Letters of full width and the like; the sign that shows where something was cut is none of them.
      .replace(/[^…\p{ASCII}]+/gu, (all) => all.normalize('NFKC'))
  );
}

const ENTITIES: Readonly<Record<string, string>> = {
  ...{ commat: '@', colon: ':', equals: '=', quot: '"', apos: "'" },
};

function entity(all: string, decimal?: string, hex?: string, name = ''): string {
  const code = Number.parseInt(decimal ?? hex ?? '', decimal === undefined ? 16 : 10);
  if (Number.isNaN(code)) return ENTITIES[name.toLowerCase()] ?? all;
  return code <= 0x10ffff ? String.fromCodePoint(code) : all;
}

function oneLine(text: string): string {
  const lines = text.split(/[\r\n]+/);
  const joined = lines.length === 1 ? text : lines.map((line) => line.trim()).join(' ⏎ ');
  const shown = makeVisible(joined.replaceAll('\t', ' '));
  if (shown.length <= MAX_SHOWN_CHARS) return shown;
  const cut = shown.slice(0, MAX_SHOWN_CHARS).replace(/[\uD800-\uDBFF]$/, '');
  return `${cut}… +${shown.length - cut.length} characters`;
}
