import { isIP } from 'node:net';
import { specialPurpose } from '../base/special-purpose.ts';
import type { Finding } from './scanner.ts';

/** Names that resolve to whatever address is written into them, or to this machine. */
const REBINDING =
  /(?:^|\.)(?:nip\.io|sslip\.io|xip\.io|localtest\.me|lvh\.me|lacolhost\.com|vcap\.me)$/;
const LOCAL_NAMES = /^localhost$|\.(?:localhost|local|internal|intranet|lan|home|corp|home\.arpa)$/;

const SCHEMES: ReadonlyMap<string, string> = new Map([
  ['file:', 'Opens a file of this computer by its address.'],
  ['data:', 'Opens an address that contains its own content.'],
  ['javascript:', 'Opens an address that is a program.'],
  ['vbscript:', 'Opens an address that is a program.'],
  ['gopher:', 'Sends raw bytes to a server.'],
  ['dict:', 'Sends raw bytes to a server.'],
]);

/**
 * Findings about an address in any spelling, parsed as the network stack parses it. Signals only: what may
 * be reached is decided where connections are made, on resolved addresses.
 */
export function scanUrl(text: string): Finding[] {
  const url = URL.parse(text.trim());
  if (url === null) return [];
  const signal = (rule: string, message: string): Finding => ({ rule, message, weight: 'signal' });
  const odd = SCHEMES.get(url.protocol);
  if (odd !== undefined) return [signal('url_scheme', odd)];
  const findings: Finding[] = [];
  if (url.hostname !== '' && isInternalHost(url.hostname)) {
    findings.push(signal('url_internal', `Targets this computer or its network: ${url.host}.`));
  }
  if (url.username !== '' || url.password !== '') {
    findings.push(signal('url_credentials', 'The address contains a user name or password.'));
  }
  return findings;
}

const IN_TEXT =
  /(?<![a-z0-9])(?:https?|ftp|file|gopher|dict|ws|wss):\/{1,3}[^\s"'`<>()|;\\]{1,300}/gi;
const MAX_URLS = 50;

/** The same for every address in code. */
export function scanUrlsIn(code: string): Finding[] {
  const findings = new Map<string, Finding>();
  let count = 0;
  for (const [address] of code.matchAll(IN_TEXT)) {
    for (const finding of scanUrl(address)) findings.set(finding.rule, finding);
    count += 1;
    if (count === MAX_URLS) break;
  }
  return [...findings.values()];
}

/** `host` as WHATWG gives it: names in lower-case ASCII, IPv4 dotted, IPv6 in brackets. */
function isInternalHost(host: string): boolean {
  const address = host.replace(/^\[|\]$/g, '');
  if (isIP(address) !== 0) return specialPurpose(address) !== null;
  const name = host.replace(/\.$/, '');
  return !name.includes('.') || LOCAL_NAMES.test(name) || REBINDING.test(name);
}
