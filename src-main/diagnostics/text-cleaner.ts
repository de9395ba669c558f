import { stripVTControlCharacters } from 'node:util';
import { makeVisible } from '#contract/visible-text.ts';
import { KnownSecrets } from '../base/known-secrets.ts';
import { Redactor } from '../base/redactor.ts';
import { folderPatterns, literally } from './folder-patterns.ts';
import type { Identity } from './identity.ts';
import { withoutLabelledSecrets } from './labelled-secrets.ts';
import { withoutPlaces } from './places.ts';
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
const MAX_CHARS = 8_000;
const MAX_SHOWN_CHARS = 4_000;
const MAX_SHOWN_OF_LONG = 3_000;

/**
 * Removes secrets and personal details from texts of any origin, and makes what cannot be seen visible. It works on
 * the text and on what its escapes stand for: `\u0073` in JSON, `%73` in addresses, and characters without width.
 */
export class TextCleaner {
  readonly #redactors: readonly Redactor[];
  readonly #folders: readonly (readonly [RegExp, string])[];
  readonly #personal: readonly (readonly [RegExp, string])[];
  readonly #shownData: string | null;

  constructor({ secrets, env, identity, root, dataDir }: CleanerParts) {
    recall(secrets);
    const ofEnvironment = new KnownSecrets();
    for (const [name, value = ''] of Object.entries(env)) {
      if (SECRET_VARIABLE.test(name)) ofEnvironment.register(value);
      ofEnvironment.register(URL.parse(value)?.password ?? '');
    }
    this.#redactors = [new Redactor(secrets), new Redactor(ofEnvironment)];
    const { homes, users, hosts, words } = identity;
    this.#folders = [
      ...folderPatterns([root]).map((pattern) => [pattern, '[app]'] as const),
      ...folderPatterns(homes).map((pattern) => [pattern, '~'] as const),
    ];
    this.#personal = [
      [/((?:^|[^\w~])(?:\/home|\/Users)\/)[^\s/"'`<>:;,()]+/g, '$1[user]'],
      // Names of accounts have spaces there.
      [
        /(\b[A-Z]:[\\/]{1,8}Users[\\/]{1,8})(?:[^\\/"'`<>:;,()\n]{1,80}(?=[\\/])|[^\s\\/"'`<>:;,()]+)/gi,
        '$1[user]',
      ],
      [EMAIL, '[email]'],
      ...users.map((name) => [namePattern(name), '[user]'] as const),
      ...hosts.map((name) => [namePattern(name), '[host]'] as const),
      ...words.flatMap(wordPatterns),
    ];
    // A data folder that is a home folder, or one that contains one, is full of the user's own names.
    const shownData = replaced(dataDir, this.#folders);
    const hasHome = homes.some((home) => home === dataDir || home.startsWith(`${dataDir}/`));
    this.#shownData = hasHome || /^(?:~|\/|[a-z]:)?[\\/]*$/i.test(shownData) ? null : shownData;
  }

  /** One line of the document, for a value that is no content of a task. */
  line(value: string): string {
    return oneLine(this.text(value));
  }

  /** For a text of the app itself, in which a gap would say what the user is called. */
  constant(value: string): string {
    return oneLine(value);
  }

  /** `line` for a text of the log: addresses are cut to their host, and paths to what the app named. */
  logLine(value: string): string {
    return oneLine(this.#search(value, { isLog: true }));
  }

  /** The same with the line breaks of the text. */
  logLines(value: string): string[] {
    return this.#search(value, { isLog: true }).split(/\r?\n/).map(oneLine);
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
    return this.#search(value, { isLog: false });
  }

  #search(value: string, kind: { readonly isLog: boolean }): string {
    const isLong = value.length > MAX_CHARS;
    let shown = this.#clean(isLong ? value.slice(0, MAX_CHARS) : value, kind);
    let inner = shown;
    for (let depth = 0; depth < MAX_DEPTH; depth += 1) {
      const plain = unescaped(inner);
      if (plain === inner) break;
      inner = this.#clean(plain, kind);
      // The escapes hid something: the text is shown without them.
      if (inner !== plain) shown = inner;
    }
    if (!isLong) return shown;
    // A secret may have been cut at the end of what was searched.
    return `${shown.slice(0, MAX_SHOWN_OF_LONG)}… +${value.length - MAX_SHOWN_OF_LONG} characters`;
  }

  #clean(text: string, { isLog }: { readonly isLog: boolean }): string {
    let clean = text;
    for (const redactor of this.#redactors) clean = redactor.text(clean);
    // Up to the last `@` before the path, as addresses are parsed.
    clean = clean.replace(/(\b[a-z][a-z0-9+.-]{1,30}:[\\/]{2})[^\s/?#"'`<>]*@/gi, '$1[redacted]@');
    clean = replaced(withoutLabelledSecrets(clean), this.#folders);
    if (isLog) clean = withoutPlaces(withoutExcerpts(clean), { data: this.#shownData });
    return withoutSecretLooking(replaced(clean, this.#personal));
  }
}

function replaced(text: string, patterns: readonly (readonly [RegExp, string])[]): string {
  let clean = text;
  for (const [pattern, name] of patterns) clean = clean.replace(pattern, name);
  return clean;
}

/** Messages that quote what a model or a file said, or a command with its arguments. */
function withoutExcerpts(text: string): string {
  let clean = text;
  if (clean.includes(' is not valid JSON')) {
    clean = clean.replace(/(, |^)(?:\.{3})?".*( is not valid JSON)/gm, '$1[left out]$2');
  }
  return clean.replace(/(\bCommand failed: )[^\n]+/g, '$1[left out]');
}

/** Stored keys are searched for, too, if they can be read. */
function recall(secrets: KnownSecrets): void {
  try {
    secrets.recall();
  } catch {
    // The database is damaged. The log was written without these keys, and their kinds are known.
  }
}

/** A name that is also a word of the document is removed only where the text says that it is a name. */
function wordPatterns(name: string): (readonly [RegExp, string])[] {
  const word = `${literally(name)}(?![\\p{L}\\p{N}])`;
  const before =
    '(?<![\\p{L}\\p{N}])(?:user(?:[ _-]?name)?|login|log ?name|account|owner|uid|host(?:[ _-]?name)?|computer)';
  return [
    [new RegExp(`(${before}[\\s:="'(]{1,4})${word}`, 'giu'), '$1[user]'],
    [new RegExp(`(?<![\\p{L}\\p{N}])${literally(name)}(?=@)`, 'giu'), '[user]'],
    [new RegExp(`(?<=@)${word}`, 'giu'), '[host]'],
  ];
}

function namePattern(name: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])${literally(name)}(?![\\p{L}\\p{N}])`, 'giu');
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
