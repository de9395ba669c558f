import {
  ALLOW,
  ARGUMENT_0,
  ARGUMENT_1,
  ARGUMENT_2,
  ARGUMENT_3,
  answer,
  EAFNOSUPPORT,
  ENOSYS,
  EPERM,
  type Instruction,
  ifAnyBit,
  ifAtLeast,
  ifEqual,
  load,
  mask,
  NEW_NAMESPACES,
  REFUSED_IOCTLS,
  refuse,
  seccompFilter,
  skipIfEqual,
} from '../seccomp-filter.ts';
import { FCHMODAT2, FIRST_UNKNOWN, type SharedHostCalls, sharedHostCalls } from './call-numbers.ts';

/** `SECCOMP_RET_USER_NOTIF`: the launcher answers. */
const ASK = 0x7fc00000;
const EACCES = 13;
const IPPROTO_IP = 0;
const IPPROTO_TCP = 6;
const IPPROTO_IPV6 = 41;
const SOCK_STREAM = 1;
/** The low bits of a socket's type; the others are flags. */
const SOCKET_TYPE = 0xf;
/** IPv4 and IPv6. */
const INTERNET_FAMILIES = [2, 10];
/** Connects without `connect`. */
const MSG_FASTOPEN = 0x20000000;
/** Questions to sockets about the interfaces of the computer, and changes of a file's flags. */
const SOCKET_IOCTLS = [0x8900, 0x8a00] as const;
const FLAG_IOCTLS = [0x40086602, 0x40046602, 0x401c5820];

/**
 * The filter of a sandbox that has no namespaces: with the rules of all others, and for what Landlock does not
 * decide about. Programs share the computer's process numbers, loopback, System V memory and mounts, so what reaches
 * others through those is refused; what must work all the same is asked of the launcher (`CallSupervisor`). Null
 * for processors without a table.
 */
export function sharedHostFilter(
  architecture: string,
  { sockets }: { readonly sockets: boolean },
): Buffer | null {
  const calls = sharedHostCalls(architecture);
  if (calls === undefined) return null;
  return seccompFilter(architecture, {
    first: [
      ...[ifAtLeast(FIRST_UNKNOWN, 1), answer(refuse(ENOSYS))],
      ...calls.refused.flatMap((call) => [ifEqual(call, 1), answer(refuse(EPERM))]),
      ...calls.absent.flatMap((call) => [ifEqual(call, 1), answer(refuse(ENOSYS))]),
      ...asked(calls).flatMap((call) => [ifEqual(call, 1), answer(ASK)]),
      ...block(calls.clone, [
        ...[load(ARGUMENT_0), ifAnyBit(NEW_NAMESPACES, 1), answer(refuse(EPERM)), answer(ASK)],
      ]),
      ...calls.ownOnly.flatMap((call) => block(call, onlyZero(ARGUMENT_0))),
      ...calls.ownOnlySecond.flatMap((call) => block(call, onlyZero(ARGUMENT_1))),
      ...block(calls.ioctl, [
        load(ARGUMENT_1),
        ...[...REFUSED_IOCTLS, ...FLAG_IOCTLS].flatMap((request) => [
          ifEqual(request, 1),
          answer(refuse(EPERM)),
        ]),
        ...[ifAtLeast(SOCKET_IOCTLS[0], 3), ifAtLeast(SOCKET_IOCTLS[1], 1), answer(ALLOW)],
        ...[answer(refuse(EPERM)), answer(ALLOW)],
      ]),
      // An end of any other pair sends to whatever address it is given, also to sockets of the host.
      ...block(calls.socketpair, [
        ...[load(ARGUMENT_1), mask(SOCKET_TYPE), ifEqual(SOCK_STREAM, 1), answer(ALLOW)],
        answer(refuse(EACCES)),
      ]),
      ...socketRules(calls, sockets),
    ],
  });
}

/** The calls that the launcher makes, or allows, in the place of the kernel. */
function asked(calls: SharedHostCalls): number[] {
  const { fork, connect, chmod, fchmod, fchmodat, utimensat } = calls;
  return [...fork, connect, ...chmod, fchmod, fchmodat, FCHMODAT2, utimensat];
}

function block(call: number, body: readonly Instruction[]): Instruction[] {
  return [ifEqual(call, body.length), ...body];
}

function onlyZero(argument: number): Instruction[] {
  return [load(argument), ifEqual(0, 1), answer(ALLOW), answer(refuse(EPERM))];
}

/**
 * TCP sockets that lead nowhere but to the launcher, or none at all. Options of TCP do nothing to the streams that
 * take their place, so setting one just succeeds.
 */
function socketRules(calls: SharedHostCalls, hasSockets: boolean): Instruction[] {
  if (!hasSockets) return block(calls.socket, [answer(refuse(EAFNOSUPPORT))]);
  const [inet, inet6] = INTERNET_FAMILIES as [number, number];
  const fastOpen = (argument: number): Instruction[] => [
    ...[load(argument), ifAnyBit(MSG_FASTOPEN, 1), answer(refuse(EACCES)), answer(ALLOW)],
  ];
  return [
    ...block(calls.socket, [
      ...[load(ARGUMENT_0), skipIfEqual(inet, 2), skipIfEqual(inet6, 1)],
      answer(refuse(EAFNOSUPPORT)),
      ...[load(ARGUMENT_1), mask(SOCKET_TYPE), ifEqual(SOCK_STREAM, 4)],
      ...[load(ARGUMENT_2), skipIfEqual(0, 1), ifEqual(IPPROTO_TCP, 1), answer(ALLOW)],
      answer(refuse(EACCES)),
    ]),
    ...block(calls.setsockopt, [
      load(ARGUMENT_1),
      ...[IPPROTO_IP, IPPROTO_TCP, IPPROTO_IPV6].flatMap((level) => [
        ifEqual(level, 1),
        answer(refuse(0)),
      ]),
      answer(ALLOW),
    ]),
    ...block(calls.sendto, fastOpen(ARGUMENT_3)),
    ...block(calls.sendmsg, fastOpen(ARGUMENT_2)),
    ...block(calls.sendmmsg, fastOpen(ARGUMENT_3)),
  ];
}
