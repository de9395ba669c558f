import { specialPurpose } from '../../base/special-purpose.ts';
import { EgressDenied } from './denied.ts';
import { coversTarget, type HostPattern } from './host-pattern.ts';
import { type EgressTarget, shownTarget } from './target.ts';
import type { EgressCaller } from './types.ts';

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
  if (caller.granted().some((pattern) => coversTarget(pattern, target))) return;
  const isListed = ({ policy, hosts }: { policy: string; hosts: readonly HostPattern[] }) =>
    policy === 'open' || hosts.some((pattern) => coversTarget(pattern, target));
  if (levels.every(isListed)) return;
  throw new EgressDenied(
    'not_listed',
    `${shownTarget(target)} is not among the hosts that may be reached. The person can allow it in the network settings.`,
    target,
  );
}

/** Throws `EgressDenied` if any of the addresses is not a public one, unless that very host was named. */
export function checkAddresses(
  target: EgressTarget,
  addresses: readonly string[],
  caller: EgressCaller,
): void {
  if (addresses.length === 0) {
    throw new EgressDenied('unresolved', `${target.host} has no address.`, target);
  }
  // One that is not public among others that are is how a name is turned against us.
  const found = addresses.find((address) => specialPurpose(address) !== null);
  if (found === undefined || isNamedPrivate(target, caller)) return;
  throw new EgressDenied(
    'private_address',
    `${shownTarget(target)} leads to ${found} (${specialPurpose(found)}), which is not on the public internet.`,
    target,
  );
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
