import { hasHidden } from '#contract/visible-text.ts';
import type { Finding, FindingWeight, Scanner } from './scanner.ts';
import { scanUrl, scanUrlsIn } from './url-scan.ts';

interface CodeRule {
  readonly rule: string;
  readonly message: string;
  readonly pattern: RegExp;
  /** Its weight in code that runs, and in text that is only written, where that is lower. */
  readonly run?: FindingWeight;
  readonly written?: FindingWeight;
}

const DISK = String.raw`\/dev\/(?:sd[a-z]|hd[a-z]|vd[a-z]|nvme\d|disk\d|mapper)`;

/**
 * Patterns worth a second look in code and commands. Each is linear in the text: none has nested
 * repetition. Such a list stops nobody who wants to evade it; it helps the user who reads the call.
 */
const PATTERNS: readonly CodeRule[] = [
  {
    rule: 'delete_everything',
    message: 'Deletes the whole disk or home folder.',
    pattern:
      /\brm\s+(?:-[\w-]+\s+){0,6}(?:-[a-zA-Z]{0,8}[rR][a-zA-Z]{0,8}|--recursive)\s+(?:-[\w-]+\s+){0,6}["']?(?:\/\*?|~\/?\*?|\$\{?HOME\}?\/?\*?)["']?(?=\s|$|[;&|)])/,
    run: 'certain',
  },
  {
    rule: 'overwrite_disk',
    message: 'Writes over a disk.',
    pattern: new RegExp(String.raw`\bmkfs(?:\.\w+)?\s|\bdd\b[^\n]{0,200}\bof=${DISK}|>\s*${DISK}`),
    run: 'certain',
  },
  {
    rule: 'fork_bomb',
    message: 'Starts copies of itself endlessly.',
    pattern: /:\s*\(\s*\)\s*\{[^}\n]{0,40}\||(?<!\w)(\w{1,30})\s*\(\s*\)\s*\{\s*\1\s*\|\s*\1\s*&/,
    run: 'certain',
  },
  {
    rule: 'recursive_delete',
    message: 'Deletes whole folders.',
    pattern:
      /\brm\s+(?:-[\w-]+\s+){0,6}(?:-[a-zA-Z]{0,8}[rR]|--recursive\b)|\bshutil\.rmtree\b|\brmSync\(|\bfind\b[^\n]{0,200}-delete\b/,
    written: 'note',
  },
  {
    rule: 'remote_code',
    message: 'Runs code that it downloads.',
    pattern:
      /\b(?:curl|wget)\b[^\n|]{0,300}\|\s*(?:sudo\s+)?(?:ba|z|da|k)?sh\b|\b(?:ba|z|da|k)?sh\s+<\(\s*(?:curl|wget)\b|\b(?:exec|eval)\([^\n]{0,80}(?:urlopen|requests\.get|fetch)\b/,
  },
  {
    rule: 'reverse_shell',
    message: 'Hands a shell to another computer.',
    pattern:
      /\/dev\/(?:tcp|udp)\/|\bn(?:c|cat)\b[^\n]{0,60}\s-[a-z]{0,3}e\b|\bsocket\b[^\n]{0,200}\bdup2\b|\bsocat\b[^\n]{0,80}\bexec:/i,
  },
  {
    rule: 'upload',
    message: 'Sends files or other data to the network.',
    pattern:
      /\bcurl\b[^\n]{0,200}\s(?:-T|--upload-file|(?:-d|-F|--data|--data-binary|--data-raw|--form)[ =]?[^\s]{0,40}@)/,
  },
  {
    rule: 'credentials',
    message: 'Names places where keys and passwords are stored.',
    pattern:
      /\.ssh\b|\.aws\b|\.netrc\b|\bid_(?:rsa|ed25519)\b|\/etc\/(?:shadow|passwd)\b|\bdocker\.sock\b|169\.254\.169\.254/,
  },
  {
    rule: 'persistence',
    message: 'Arranges to run again later.',
    pattern:
      /\bauthorized_keys\b|\bcrontab\s+-(?!l)|\/etc\/(?:cron|systemd|rc\.local)|\bsystemctl\s+enable\b/,
    written: 'note',
  },
  {
    rule: 'privileges',
    message: 'Asks for more rights.',
    pattern:
      /\bsudo\b|\bsetuid\b|\bchmod\s+(?:-R\s+)?[0-7]*[4-7][0-7]{3}\b|\bchmod\s+-R\s+0?777\b|\bdocker\s+run\b[^\n]{0,200}(?:-v\s*\/:|--privileged)/,
    written: 'note',
  },
  {
    rule: 'covers_tracks',
    message: 'Removes traces of its actions.',
    pattern: /\bhistory\s+-c\b|\bunset\s+HISTFILE\b|\bgit\s+push\b[^\n]{0,80}\s(?:--force|-f)\b/,
    written: 'note',
  },
  {
    rule: 'encoded_code',
    message: 'Runs encoded text that cannot be read here.',
    pattern:
      /\bbase64\s+(?:-d|-D|--decode)[^\n]{0,100}\|\s*\w*sh\b|\b(?:exec|eval)\(\s*(?:base64|codecs|bytes\.fromhex|atob)|\bpowershell\b[^\n]{0,60}\s-e(?:nc|ncodedcommand)?\s/i,
  },
];

/** Scans what a call would run. */
export const scanCode: Scanner = (text) => [
  ...matching(text, ({ run = 'signal' }) => run),
  ...hiddenCharacters(text, 'signal'),
  ...scanUrlsIn(text),
];

/**
 * Scans what a call would write or search for: none of it runs now, so what every manual contains is
 * only a note. A value that is a whole address is one that will be opened.
 */
export const scanText: Scanner = (text) => [
  ...matching(text, ({ written = 'signal' }) => written),
  ...hiddenCharacters(text, 'note'),
  ...(WHOLE_URL.test(text) ? scanUrl(text) : []),
];

const WHOLE_URL = /^\s*[a-z][a-z0-9+.-]{1,15}:\S{1,2000}\s*$/i;

function matching(text: string, weigh: (rule: CodeRule) => FindingWeight): Finding[] {
  return PATTERNS.filter(({ pattern }) => pattern.test(text)).map((rule) => ({
    rule: rule.rule,
    message: rule.message,
    weight: weigh(rule),
  }));
}

function hiddenCharacters(text: string, weight: FindingWeight): Finding[] {
  if (!hasHidden(text)) return [];
  const message = 'Contains invisible characters or characters that reverse the text direction.';
  return [{ rule: 'hidden_characters', message, weight }];
}
