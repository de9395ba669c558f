import { BlockList, isIPv6 } from 'node:net';
import type { networkInterfaces } from 'node:os';
import { specialPurpose } from '../base/special-purpose.ts';
import { EgressDenied } from './denied.ts';
import { coversTarget, type HostPattern } from './host-pattern.ts';
import { type EgressTarget, shownTarget } from './target.ts';
import type { EgressCaller, EgressRules } from './types.ts';

/**
 * Throws `EgressDenied` unless every level lets `target` out. Comes before its name is resolved: to ask
 * a name server is to send something.
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
    ? 'was not contacted: this task holds what others wrote, and neither the user nor the program names this host. A program reaches the hosts that stand in its own text; the user can name others in a message, or in the network settings.'
    : 'is not among the hosts that may be reached. The person can allow it in the network settings.';
}

/**
 * Throws `EgressDenied` if one of the addresses belongs to a host that a rule denies: it is the same
 * host by another name. `deniedHosts` are these hosts with their addresses.
 */
export function checkDenied(
  { target, addresses }: Pick<AddressQuestion, 'target' | 'addresses'>,
  deniedHosts: ReadonlyMap<string, readonly string[]>,
): void {
  for (const [host, theirs] of deniedHosts) {
    if (!addresses.some((address) => theirs.includes(address))) continue;
    throw deniedByRule(target, `It has the address of ${host}, which a rule of the user denies.`);
  }
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
  /** Of this computer, as they are now. */
  readonly interfaces: ReturnType<typeof networkInterfaces>;
}

/**
 * Throws `EgressDenied` if any of the addresses is not a public one, or is one of this computer's own,
 * unless that very host was named.
 */
export function checkAddresses({ target, addresses, caller, interfaces }: AddressQuestion): void {
  if (addresses.length === 0) {
    throw new EgressDenied('unresolved', `${target.host} has no address.`, target);
  }
  // One that is not public among others that are is how a name is turned against us.
  const isOwn = addressesOf(interfaces);
  const found = addresses.find((address) => specialPurpose(address) !== null || isOwn(address));
  if (found === undefined || isNamedPrivate(target, caller)) return;
  const why = specialPurpose(found);
  throw new EgressDenied(
    'private_address',
    why === null
      ? `${shownTarget(target)} leads to ${found}, which is this computer itself.`
      : `${shownTarget(target)} leads to ${found} (${why}), which is not on the public internet.`,
    target,
  );
}

/** Whether an address is one of an interface: a service that listens on all of them answers there. */
function addressesOf(interfaces: AddressQuestion['interfaces']): (address: string) => boolean {
  const own = new BlockList();
  for (const { address, family } of Object.values(interfaces).flatMap((found) => found ?? [])) {
    own.addAddress(address, family === 'IPv6' ? 'ipv6' : 'ipv4');
  }
  return (address) => own.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

/**
 * Whether the person named this very host although it is not public: in the settings, or by its address
 * in a list. An approved call is no such naming; pages talk people into those.
 */
function isNamedPrivate(target: EgressTarget, caller: EgressCaller): boolean {
  const isExact = (pattern: HostPattern): boolean =>
    !pattern.isWildcard && coversTarget(pattern, target);
  if (caller.privateHosts().some(isExact)) return true;
  const listed = caller.rules().flatMap(({ hosts }) => hosts);
  return listed.some((pattern) => pattern.isPrivateAddress && isExact(pattern));
}
