import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromiumPath } from '../../setup/chromium.ts';
import { SITE_KEY_HASH } from './site-certificate.ts';
import { TRAP_NAME_SERVER } from './traps.ts';

/** Whether a program can be given files of the system of its own here. */
export const CAN_TRAP_NAMES = process.platform === 'linux' && process.getuid?.() === 0;

/**
 * A program that starts Chromium so that it trusts the certificate of `site.test`, and, where possible, so that its
 * name server is the trap, and the hosts file of the computer leads a name inwards. It does not weaken what the
 * app asks of it.
 */
export function wrappedChromium(): string | null {
  if (chromiumPath === null) return null;
  const folder = mkdtempSync(join(tmpdir(), 'hyperagent-wrapped-'));
  const file = (name: string, text: string, mode = 0o644): string => {
    writeFileSync(join(folder, name), text, { mode });
    return join(folder, name);
  };
  const asRoot = process.getuid?.() === 0 ? '--no-sandbox' : '';
  const start = file(
    'start',
    `#!/bin/sh\nexec '${chromiumPath}' ${asRoot} --disable-gpu --ignore-certificate-errors-spki-list=${SITE_KEY_HASH} "$@"\n`,
    0o755,
  );
  if (!CAN_TRAP_NAMES) return start;
  const names = file(
    'resolv.conf',
    `nameserver ${TRAP_NAME_SERVER}\noptions timeout:1 attempts:1\n`,
  );
  const hosts = file('hosts', '127.0.0.1 localhost hosts-file.test\n');
  const own = `mount --bind '${names}' /etc/resolv.conf && mount --bind '${hosts}' /etc/hosts && exec '${start}' "$@"`;
  return file(
    'chromium',
    `#!/bin/sh\nexec unshare -m sh -c '${own.replaceAll("'", `'"'"'`)}' sh "$@"\n`,
    0o755,
  );
}
