import { AppError } from '#contract/errors.ts';
import { specialPurpose } from '../base/special-purpose.ts';
import { type EgressTarget, parseTarget } from './target.ts';

/** A host that the user named: `example.com`, `*.example.com`, `example.com:8080`, `nas.local:*`. */
export interface HostPattern {
  readonly host: string;
  /** Covers the subdomains, but not the host itself. */
  readonly isWildcard: boolean;
  /** Null for any; 80 and 443 if the text names none. */
  readonly ports: readonly number[] | null;
  /** The host is a private address, so the user must have meant it. */
  readonly isPrivateAddress: boolean;
}

const WEB_PORTS: readonly number[] = [80, 443];
const PATTERN = /^(\*\.)?([^\s:*[\]]+|\[[^\s[\]]+\])(?::(\*|\d{1,5}))?$/;

/** Throws `BAD_REQUEST` if the text is not a host pattern. */
export function parseHostPattern(text: string): HostPattern {
  const trimmed = text.trim();
  const match = PATTERN.exec(trimmed);
  const [, star, written = '', port] = match ?? [];
  const number = port === undefined || port === '*' ? 443 : Number(port);
  try {
    const { host } = parseTarget(written, number);
    return {
      host,
      isWildcard: star !== undefined,
      ports: port === undefined ? WEB_PORTS : port === '*' ? null : [number],
      isPrivateAddress: /^[\d.]+$|:/.test(host) && specialPurpose(host) !== null,
    };
  } catch (cause) {
    throw new AppError(
      'BAD_REQUEST',
      `"${trimmed.slice(0, 100)}" is not a host. Write example.com, *.example.com, example.com:8080 or 192.168.1.5:*.`,
      { cause },
    );
  }
}

export function coversTarget(pattern: HostPattern, { host, port }: EgressTarget): boolean {
  if (pattern.ports !== null && !pattern.ports.includes(port)) return false;
  return pattern.isWildcard ? host.endsWith(`.${pattern.host}`) : host === pattern.host;
}
