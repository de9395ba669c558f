import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { SecretSeal } from '#main/storage/secret-store.ts';

/** Seals like a keychain: with a key that is not in the data folder. */
export function testKeychain(): SecretSeal {
  const key = randomBytes(32);
  return {
    name: 'a keychain for tests',
    seal: (text) => {
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, iv);
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), body]);
    },
    open: (sealed) => {
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12));
      decipher.setAuthTag(sealed.subarray(12, 28));
      return decipher.update(sealed.subarray(28), undefined, 'utf8') + decipher.final('utf8');
    },
  };
}

/** The forms in which a secret may lie somewhere, none of which hides it. */
function formsOf(secret: string): ReadonlyMap<string, Buffer> {
  const escaped = JSON.stringify(secret).slice(1, -1);
  const forms = new Map<string, Buffer>([
    ['plain', Buffer.from(secret)],
    ['JSON', Buffer.from(escaped)],
    ['JSON in JSON', Buffer.from(JSON.stringify(escaped).slice(1, -1))],
    ['URL', Buffer.from(encodeURIComponent(secret))],
    ['hex', Buffer.from(Buffer.from(secret).toString('hex'))],
    ['HEX', Buffer.from(Buffer.from(secret).toString('hex').toUpperCase())],
    ['backwards', Buffer.from([...secret].reverse().join(''))],
    ['UTF-16', Buffer.from(secret, 'utf16le')],
  ]);
  for (const coding of ['base64', 'base64url'] as const) {
    for (let shift = 0; shift < 3; shift += 1) {
      // What stands before and after it changes the letters at its ends, and only those.
      const text = Buffer.concat([Buffer.alloc(shift), Buffer.from(secret)]).toString(coding);
      forms.set(`${coding}, shifted by ${shift}`, Buffer.from(text.slice(4, -4)));
    }
  }
  return forms;
}

export interface Finding {
  readonly where: string;
  readonly form: string;
  readonly secret: string;
  /** What stands around it. */
  readonly around: string;
}

/** Every secret that lies in one of the sources, in any form. */
export function findSecrets(
  sources: ReadonlyMap<string, Buffer>,
  secrets: readonly string[],
): Finding[] {
  const found: Finding[] = [];
  for (const secret of secrets) {
    for (const [form, bytes] of formsOf(secret)) {
      for (const [where, source] of sources) {
        const at = source.indexOf(bytes);
        if (at === -1) continue;
        const around = source.subarray(Math.max(0, at - 120), at + 80).toString('latin1');
        found.push({ where, form, secret, around });
      }
    }
  }
  return found;
}

/** Notes the environment and the command line of every process below `pid`, until it is stopped. */
export function environmentsBelow(pid: number): { stop(): ReadonlyMap<string, string> } {
  const noted = new Map<string, string>();
  const timer = setInterval(() => {
    for (const child of descendants(pid)) {
      const read = (name: string): string => {
        try {
          return readFileSync(`/proc/${child}/${name}`, 'latin1');
        } catch {
          // It ended meanwhile.
          return '';
        }
      };
      const command = read('cmdline').replaceAll('\0', ' ').slice(0, 60);
      const before = noted.get(`process ${child}`) ?? '';
      noted.set(`process ${child}`, `${before}\n${command}\n${read('environ')}`);
    }
  }, 20);
  return {
    stop: () => {
      clearInterval(timer);
      return noted;
    },
  };
}

function descendants(pid: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const [, parent = ''] =
        /PPid:\s+(\d+)/.exec(readFileSync(`/proc/${name}/status`, 'utf8')) ?? [];
      parents.set(Number(name), Number(parent));
    } catch {
      // It ended meanwhile.
    }
  }
  const isBelow = (child: number): boolean => {
    for (let at = parents.get(child) ?? 0; at > 1; at = parents.get(at) ?? 0) {
      if (at === pid) return true;
    }
    return false;
  };
  return [...parents.keys()].filter(isBelow);
}
