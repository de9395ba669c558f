/**
 * Secrets recognised by their format: tokens of services by their public prefixes and lengths, and values in
 * places where only a secret belongs. A literal mark is searched first, so a text without marks costs little.
 * Repetitions are bounded or over one character class, so matching stays linear.
 */
interface SecretKind {
  readonly kind: string;
  /** Every text with such a secret contains one of these. */
  readonly marks: readonly string[];
  /** Matches what is removed; lookarounds check the text before and after it. */
  readonly pattern: RegExp;
  /** Whether a match is a real secret, not a placeholder or a name; by default, whether it looks random. */
  readonly isSecret?: (secret: string) => boolean;
}

export interface SecretMatch {
  readonly kind: string;
  readonly start: number;
  readonly end: number;
}

/** What separates a name from its value: `_KEY=`, `key": "`, `key = '`. */
const IS = String.raw`["'\x60]?\s{0,3}(?:[:=]|:=|=>)\s{0,3}["'\x60]?`;
/** Start and end of a token. */
const B = '(?<![A-Za-z0-9_])';
const E = '(?![A-Za-z0-9_])';

/** A token that a service issues: its prefixes and what follows them. */
function token(kind: string, prefixes: readonly string[], rest: string): SecretKind {
  const any = prefixes.map((prefix) => prefix.replaceAll('.', '\\.')).join('|');
  const pattern = new RegExp(`${B}(?:${any})${rest}${E}`, 'g');
  return { kind, marks: prefixes, pattern, isSecret: isIssued };
}

const TOKENS: readonly SecretKind[] = [
  token('OpenAI key', ['sk-proj-', 'sk-svcacct-', 'sk-admin-'], '[A-Za-z0-9_-]{20,}'),
  token('Anthropic key', ['sk-ant-'], '[A-Za-z0-9_-]{20,}'),
  token('OpenRouter key', ['sk-or-'], '[A-Za-z0-9_-]{20,}'),
  token('Groq key', ['gsk_'], '[A-Za-z0-9]{40,}'),
  token('xAI key', ['xai-'], '[A-Za-z0-9]{60,}'),
  token('Perplexity key', ['pplx-'], '[A-Za-z0-9]{40,}'),
  token('Replicate token', ['r8_'], '[A-Za-z0-9]{37,}'),
  token('Hugging Face token', ['hf_', 'api_org_'], '[A-Za-z0-9]{30,}'),
  token('LangSmith key', ['lsv2_pt_', 'lsv2_sk_'], '[a-f0-9]{32}_[a-f0-9]{10}'),
  token('GitHub token', ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'], '[A-Za-z0-9]{30,}'),
  token('GitHub token', ['github_pat_'], '[A-Za-z0-9]{20,}_[A-Za-z0-9]{40,}'),
  token(
    'GitLab token',
    ['glpat-', 'gldt-', 'glrt-', 'glptt-', 'glcbt-', 'glsoat-'],
    '[A-Za-z0-9_.-]{20,}',
  ),
  token(
    'Slack token',
    ['xoxb-', 'xoxa-', 'xoxp-', 'xoxe-', 'xoxr-', 'xoxs-', 'xapp-'],
    '[A-Za-z0-9-]{20,}',
  ),
  token('Google key', ['AIza'], '[A-Za-z0-9_-]{35}'),
  token('Google secret', ['GOCSPX-'], '[A-Za-z0-9_-]{28}'),
  token('Google token', ['ya29.'], '[A-Za-z0-9_-]{40,}'),
  token(
    'Stripe key',
    ['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_', 'whsec_'],
    '[A-Za-z0-9+/=]{20,}',
  ),
  token('npm token', ['npm_'], '[A-Za-z0-9]{36}'),
  token(
    'PyPI token',
    ['pypi-AgEIcHlwaS5vcmc', 'pypi-AgENdGVzdC5weXBpLm9yZw'],
    '[A-Za-z0-9_-]{40,}',
  ),
  token('RubyGems key', ['rubygems_'], '[a-f0-9]{48}'),
  token('Docker Hub token', ['dckr_pat_', 'dckr_oat_'], '[A-Za-z0-9_-]{27,}'),
  token('SendGrid key', ['SG.'], '[A-Za-z0-9_-]{22}\\.[A-Za-z0-9_-]{43}'),
  token('Mailgun key', ['key-'], '[a-f0-9]{32}'),
  token('Twilio key', ['SK'], '[a-f0-9]{32}'),
  token('DigitalOcean token', ['dop_v1_', 'doo_v1_', 'dor_v1_'], '[a-f0-9]{64}'),
  token('Databricks token', ['dapi'], '[a-f0-9]{32}(?:-\\d)?'),
  token('Shopify token', ['shpat_', 'shpca_', 'shppa_', 'shpss_'], '[A-Fa-f0-9]{32}'),
  token('Square token', ['sq0atp-', 'sq0csp-'], '[A-Za-z0-9_-]{22,}'),
  token('Doppler token', ['dp.pt.', 'dp.st.', 'dp.ct.', 'dp.sa.'], '[A-Za-z0-9._-]{40,}'),
  token('Vault token', ['hvs.', 'hvb.', 'hvr.'], '[A-Za-z0-9_-]{24,}'),
  token('age key', ['AGE-SECRET-KEY-1'], '[A-Z0-9]{58}'),
  token('Grafana token', ['glsa_'], '[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}'),
  token('Linear key', ['lin_api_'], '[A-Za-z0-9]{40}'),
  token('Notion token', ['ntn_'], '[A-Za-z0-9]{40,}'),
  token('Figma token', ['figd_'], '[A-Za-z0-9_-]{40}'),
  token('Supabase token', ['sbp_'], '[a-f0-9]{40}'),
  token(
    'Tailscale key',
    ['tskey-auth-', 'tskey-api-', 'tskey-client-'],
    '[A-Za-z0-9]{8,}-[A-Za-z0-9]{20,}',
  ),
  token('New Relic key', ['NRAK-'], '[A-Z0-9]{27}'),
  token('Postman key', ['PMAK-'], '[a-f0-9]{24}-[a-f0-9]{34}'),
  token('Atlassian token', ['ATATT3xFf'], '[A-Za-z0-9_=-]{60,}'),
  token(
    'JSON web token',
    ['eyJ'],
    '[A-Za-z0-9_-]{10,}\\.eyJ[A-Za-z0-9_-]{10,}(?:\\.[A-Za-z0-9_-]*)?',
  ),
  // Keys of other services that follow OpenAI's format; random only, so that names do not match.
  { ...token('API key', ['sk-'], '[A-Za-z0-9_-]{20,}'), isSecret: isRandom },
  { ...token('AWS key', ['AKIA', 'ASIA'], '[A-Z0-9]{16}'), isSecret: isRandomOfCapitals },
];

const BY_CONTEXT: readonly SecretKind[] = [
  {
    kind: 'private key',
    marks: ['PRIVATE KEY'],
    pattern:
      /-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----(?:[A-Za-z0-9+/=\s:,.]|\\[rn]|-(?!-)){24,20000}(?:-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----)?/g,
    isSecret: (key) => /[A-Za-z0-9+/=]{24}/.test(key),
  },
  {
    kind: 'AWS key',
    marks: ['AccessKey', 'access_key', 'ACCESS_KEY', 'accessKey', 'access-key'],
    pattern: new RegExp(
      `(?<=secret[_-]?access[_-]?key${IS})[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])`,
      'gi',
    ),
  },
  {
    kind: 'Azure key',
    marks: ['AccountKey=', 'SharedAccessKey=', 'accountkey=', 'sharedaccesskey='],
    pattern: /(?<=(?:Account|SharedAccess)Key=)[A-Za-z0-9/+]{43,86}={1,2}/gi,
  },
  {
    kind: 'Azure signature',
    marks: ['sig='],
    pattern: /(?<=[?&;]sig=)[A-Za-z0-9/+%]{43,60}(?:%3D|=)/gi,
  },
  {
    kind: 'Azure secret',
    marks: ['Q~'],
    pattern: /(?<![A-Za-z0-9_~.-])[A-Za-z0-9_~.-]{3}\dQ~[A-Za-z0-9_~.-]{31,34}(?![A-Za-z0-9_~-])/g,
  },
  {
    kind: 'Slack address',
    marks: ['hooks.slack.com/'],
    pattern:
      /(?<=hooks\.slack\.com\/(?:services|workflows|triggers)\/)[A-Za-z0-9]{8,}(?:\/[A-Za-z0-9]{8,}){1,3}/g,
  },
  {
    kind: 'Discord address',
    marks: ['/api/webhooks/'],
    pattern: /(?<=discord(?:app)?\.com\/api\/webhooks\/\d{15,21}\/)[A-Za-z0-9_-]{50,80}/g,
  },
  {
    kind: 'Discord token',
    marks: ['.'],
    pattern:
      /(?<![A-Za-z0-9_.-])[MNO][A-Za-z0-9_-]{22,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,42}(?![A-Za-z0-9_.-])/g,
  },
  {
    kind: 'Telegram token',
    marks: [':AA'],
    pattern: /(?<!\d)\d{8,11}:AA[A-Za-z0-9_-]{32,34}(?![A-Za-z0-9_-])/g,
  },
  {
    kind: 'Terraform token',
    marks: ['.atlasv1.'],
    pattern: /(?<![A-Za-z0-9])[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{60,70}/g,
  },
  {
    kind: 'Airtable token',
    marks: ['pat'],
    pattern: /(?<![A-Za-z0-9])pat[A-Za-z0-9]{14}\.[a-f0-9]{64}(?![A-Za-z0-9])/g,
  },
  {
    kind: 'Mailchimp key',
    marks: ['-us'],
    pattern: /(?<![A-Za-z0-9])[a-f0-9]{32}-us\d{1,2}(?![A-Za-z0-9])/g,
  },
  {
    kind: 'authorization header',
    marks: ['earer ', 'EARER '],
    pattern: /(?<=(?<![A-Za-z])bearer\s{1,3})[A-Za-z0-9._~+/-]{20,2000}={0,2}/gi,
  },
  {
    kind: 'authorization header',
    marks: ['asic ', 'ASIC '],
    pattern: /(?<=(?<![A-Za-z])basic\s{1,3})[A-Za-z0-9+/]{8,2000}={0,2}(?![A-Za-z0-9+/=])/gi,
    isSecret: isBasic,
  },
  {
    kind: 'password in an address',
    marks: ['://'],
    pattern:
      /(?<=[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@"'`<>]{0,64}:)[^\s/:@"'`<>\\]{4,256}(?=@(?!localhost\b|127\.|(?:[\w-]{1,60}\.){0,3}example\b)[A-Za-z0-9[])/gi,
    // Addresses on this computer and reserved example names are spared: nobody else can use them.
    isSecret: isPassword,
  },
  {
    kind: 'API key',
    marks: ['key', 'KEY', 'Key', 'ecret', 'ECRET', 'oken', 'OKEN'],
    pattern: new RegExp(
      `(?<=(?:api[_-]?key|access[_-]?key|account[_-]?key|auth[_-]?key|client[_-]?secret|api[_-]?secret|app[_-]?secret|secret[_-]?key|auth[_-]?token|access[_-]?token|api[_-]?token|bot[_-]?token)${IS})[A-Za-z0-9][A-Za-z0-9_~+/-]{19,200}={0,2}(?![A-Za-z0-9_~+/(.[-])`,
      'gi',
    ),
    isSecret: isRandomValue,
  },
];

const KINDS: readonly SecretKind[] = [...TOKENS, ...BY_CONTEXT];

/** A cheap check that rules out most pieces of text. */
export function mayHoldSecretKinds(piece: string): boolean {
  return piece.length >= 12 && /[A-Za-z0-9+/_-]{16}|:\/\/|basic\s/i.test(piece);
}

/** The secrets in a text, in order and without overlaps; the longest where several start at one position. */
export function findSecretsByKind(text: string): SecretMatch[] {
  const all: SecretMatch[] = [];
  for (const { kind, marks, pattern, isSecret = isRandom } of KINDS) {
    if (!marks.some((mark) => text.includes(mark))) continue;
    for (const match of text.matchAll(pattern)) {
      const [secret] = match;
      if (isSecret(secret))
        all.push({ kind, start: match.index, end: match.index + secret.length });
    }
  }
  all.sort((a, b) => a.start - b.start || b.end - a.end);
  const kept: SecretMatch[] = [];
  for (const match of all) if (match.start >= (kept.at(-1)?.end ?? 0)) kept.push(match);
  return kept;
}

/** Replaces a secret of this kind. */
export function redactedKind(kind: string): string {
  return `[redacted: ${kind}]`;
}

/** `text` without the secrets that `findSecretsByKind` finds. */
export function withoutSecretKinds(text: string): string {
  let result = '';
  let at = 0;
  for (const { kind, start, end } of findSecretsByKind(text)) {
    result += text.slice(at, start) + redactedKind(kind);
    at = end;
  }
  return at === 0 ? text : result + text.slice(at);
}

const PLACEHOLDER = /example|placeholder|your[_-]|[_-]here\b|changeme|redacted|(.)\1{5}/i;

/** Mixes digits and letters as no word, name or placeholder does. */
function isRandom(secret: string): boolean {
  return isIssued(secret) && classChanges(secret) >= 6;
}

/** A weaker test, for tokens whose prefix already says much. */
function isIssued(secret: string): boolean {
  return !PLACEHOLDER.test(secret) && new Set(secret).size >= 10 && classChanges(secret) >= 3;
}

function isRandomOfCapitals(secret: string): boolean {
  return /\d/.test(secret) && !PLACEHOLDER.test(secret) && new Set(secret).size >= 8;
}

/** For the value of a named field: needs one long run without separators, which variable names do not have. */
function isRandomValue(value: string): boolean {
  const longest = value
    .split(/[_~+/-]/)
    .reduce((one, other) => (other.length > one.length ? other : one), '');
  return longest.length >= 16 && isRandom(longest);
}

/** How often the character class changes: letter to digit, lower case to upper case, and so on. */
function classChanges(text: string): number {
  return text.match(/\d(?=[A-Za-z])|[A-Za-z](?=\d)|[a-z](?=[A-Z])/g)?.length ?? 0;
}

/** `user:password` in base64. */
function isBasic(value: string): boolean {
  const plain = Buffer.from(value, 'base64').toString('latin1');
  return /^[\x20-\x7e]*:[\x20-\x7e]+$/.test(plain);
}

const COMMON_PASSWORDS =
  /^(?:pass(?:word|wd)?|secret|pwd|user|root|admin|postgres|test|x+|\*+|\.+|token)$/i;

/** Not a variable, a placeholder, or a word that manuals use. */
function isPassword(value: string): boolean {
  return (
    !/[${}()[\]]|^%[A-Za-z]/.test(value) &&
    !COMMON_PASSWORDS.test(value) &&
    !PLACEHOLDER.test(value)
  );
}
