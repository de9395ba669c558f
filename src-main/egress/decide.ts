import { BlockList, isIPv6 } from 'node:net';
import type { networkInterfaces } from 'node:os';
import { sameAddress, specialPurpose } from '../base/special-purpose.ts';
import { EgressDenied } from './denied.ts';
import { coversTarget, type HostPattern } from './host-pattern.ts';
import { type EgressTarget, shownTarget } from './target.ts';
import type { EgressCaller, EgressRules } from './types.ts';

/**
 * Throws `EgressDenied` unless every level allows `target`. Runs before its name is resolved, because a
 * name lookup already sends something.
 */
export function checkPolicy(target: EgressTarget, caller: EgressCaller): void {
  const levels = caller.rules();
  const offline = levels.findIndex(({ policy }) => policy === 'offline');
  if (offline >= 0) {
    const why = offline === 0 ? 'the network is switched off' : 'this task may reach nothing';
    throw new EgressDenied('offline', `${shownTarget(target)} was not contacted: ${why}.`, target);
  }
  const isAmong = (hosts: readonly HostPattern[]): boolean =>
    hosts.some((pattern) => coversTarget(pattern, target));
  if (isAmong(caller.denied())) throw deniedByRule(target, 'A rule of the user denies it.');
  if (isAmong(caller.granted())) return;
  if (isAmong(caller.asked())) {
    const message = `${shownTarget(target)} was not contacted: a rule of the user says to ask about it.`;
    throw new EgressDenied('not_listed', message, target);
  }
  const isListed = ({ policy, hosts }: EgressRules): boolean => policy === 'open' || isAmong(hosts);
  const missing = levels.find((level) => !isListed(level));
  if (missing === undefined) return;
  throw new EgressDenied('not_listed', `${shownTarget(target)} ${whyNot(missing)}`, target);
}

function whyNot({ isNarrowed = false }: EgressRules): string {
  return isNarrowed
    ? 'was not contacted: this task holds what others wrote, and neither the user nor a program that they approved names this host. Name it in the text of the program, as an address like https://example.com, and the user is asked; they can also name it in a message or in the network settings.'
    : 'is not among the allowed hosts. The user can allow it in the network settings.';
}

/**
 * Throws `EgressDenied` if one of the addresses belongs to a host that a rule denies: the same host
 * under another name. `deniedHosts` maps these hosts to their addresses.
 */
export function checkDenied(
  { target, addresses }: Pick<AddressQuestion, 'target' | 'addresses'>,
  deniedHosts: ReadonlyMap<string, readonly string[]>,
): void {
  for (const [host, theirs] of deniedHosts) {
    if (!shareAddress(addresses, theirs)) continue;
    throw deniedByRule(target, `It has the address of ${host}, which a rule of the user denies.`);
  }
}

/** Whether two hosts have an address in common, however it is written. */
export function shareAddress(one: readonly string[], other: readonly string[]): boolean {
  const theirs = new Set(other.map(sameAddress));
  return one.some((address) => theirs.has(sameAddress(address)));
}

function deniedByRule(target: EgressTarget, why: string): EgressDenied {
  return new EgressDenied(
    'denied_by_rule',
    `${shownTarget(target)} was not contacted. ${why}`,
    target,
  );
}

export interface AddressQuestion {
  readonly target: EgressTarget;
  readonly addresses: readonly string[];
  readonly caller: EgressCaller;
  /** The current ones of this computer. */
  readonly interfaces: ReturnType<typeof networkInterfaces>;
}

/**
 * Throws `EgressDenied` if any of the addresses is not public, or belongs to this computer, unless
 * exactly this host was named.
 */
export function checkAddresses({ target, addresses, caller, interfaces }: AddressQuestion): void {
  if (addresses.length === 0) {
    throw new EgressDenied('unresolved', `${target.host} has no address.`, target);
  }
  // A private address among public ones is how DNS rebinding works.
  const isOwn = addressesOf(interfaces);
  const found = addresses.find((address) => specialPurpose(address) !== null || isOwn(address));
  if (found === undefined || isNamedPrivate(target, caller)) return;
  const why = specialPurpose(found);
  throw new EgressDenied(
    'private_address',
    why === null
      ? `${shownTarget(target)} resolves to ${found}, which is this computer itself.`
      : `${shownTarget(target)} resolves to ${found} (${why}), which is not on the public internet.`,
    target,
  );
}

/** Whether an address belongs to an interface: a service that listens on all of them answers there. */
function addressesOf(interfaces: AddressQuestion['interfaces']): (address: string) => boolean {
  const own = new BlockList();
  for (const { address, family } of Object.values(interfaces).flatMap((found) => found ?? [])) {
    own.addAddress(address, family === 'IPv6' ? 'ipv6' : 'ipv4');
  }
  return (address) => own.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

/**
 * Whether the user named exactly this private host: in the settings, or by its address in a list. An
 * approved call does not count: a page can talk the user into that.
 */
function isNamedPrivate(target: EgressTarget, caller: EgressCaller): boolean {
  const isExact = (pattern: HostPattern): boolean =>
    !pattern.isWildcard && coversTarget(pattern, target);
  if (caller.privateHosts().some(isExact)) return true;
  const listed = caller.rules().flatMap(({ hosts }) => hosts);
  return listed.some((pattern) => pattern.isPrivateAddress && isExact(pattern));
}
