import { visibleSegments } from '#contract/visible-text.ts';
import type { Finding, Scanner } from './scanner.ts';

/**
 * Patterns worth a second look in code and commands. Each is linear in the text: none has nested
 * repetition. A list like this stops nobody who wants around it; it helps the person who reads.
 */
const PATTERNS: readonly (Finding & { readonly pattern: RegExp })[] = [
  {
    rule: 'recursive_delete',
    message: 'Deletes whole folders.',
    pattern: /\brm\s+-[a-z]*[rR]|\bshutil\.rmtree\b|\brmSync\(|\bfind\b[^\n]{0,200}-delete\b/,
  },
  {
    rule: 'fork_bomb',
    message: 'Starts copies of itself without end.',
    pattern: /:\s*\(\s*\)\s*\{[^}\n]{0,40}\|/,
  },
  {
    rule: 'remote_code',
    message: 'Runs what it fetches from the network.',
    pattern: /\b(?:curl|wget)\b[^\n|]{0,300}\|\s*(?:sudo\s+)?(?:ba|z|da)?sh\b/,
  },
  {
    rule: 'credentials',
    message: 'Names places where keys and passwords are kept.',
    pattern: /\.ssh\b|\.aws\b|\.netrc\b|\bid_(?:rsa|ed25519)\b|\/etc\/shadow\b|\bdocker\.sock\b/,
  },
  {
    rule: 'privileges',
    message: 'Asks for more rights.',
    pattern: /\bsudo\b|\bsetuid\b|\bchmod\s+[0-7]*[4-7][0-7]{3}\b/,
  },
  {
    rule: 'encoded_code',
    message: 'Runs text that is encoded, so that it cannot be read here.',
    pattern:
      /\bbase64\s+(?:-d|--decode)[^\n]{0,100}\|\s*\w*sh\b|\b(?:exec|eval)\(\s*(?:base64|codecs|bytes\.fromhex|atob)/,
  },
];

/** Looks through what a call would run or write. */
export const scanArguments: Scanner = (text) => {
  const findings: Finding[] = PATTERNS.filter(({ pattern }) => pattern.test(text)).map(
    ({ rule, message }) => ({ rule, message }),
  );
  if (visibleSegments(text).some((segment) => segment.hidden)) {
    findings.push({
      rule: 'hidden_characters',
      message: 'Holds characters that cannot be seen or that turn the direction of text.',
    });
  }
  return findings;
};
