import { mkdirSync, openSync } from 'node:fs';
import koffi from 'koffi';
import { type OwnMounts, SCOPE } from './landlock-plan.ts';

/**
 * The calls of the Linux kernel that Node does not have. Only the launcher loads this module, in a process of its
 * own. Each call throws with its name and error number; no arguments are checked here.
 */

interface CallNumbers {
  readonly seccomp: number;
}

/** Calls that have the same number on both processors are literals below. */
const NUMBERS: Readonly<Record<string, CallNumbers>> = {
  x64: { seccomp: 317 },
  arm64: { seccomp: 277 },
};

const CALL = {
  landlockCreateRuleset: 444,
  landlockAddRule: 445,
  landlockRestrictSelf: 446,
  pidfdOpen: 434,
  pidfdGetfd: 438,
  closeRange: 436,
} as const;

const libc = koffi.load(null);
const numberCall = libc.func('syscall', 'long', ['long', 'long', 'long', 'long']);
const pointerFirstCall = libc.func('syscall', 'long', ['long', 'void *', 'size_t', 'long']);
const pointerThirdCall = libc.func('syscall', 'long', ['long', 'long', 'long', 'void *', 'long']);
const ioctlCall = libc.func('ioctl', 'int', ['int', 'unsigned long', 'void *']);
const prctlCall = libc.func('prctl', 'int', ['int', 'long', 'long', 'long', 'long']);
const mountCall = libc.func('mount', 'int', ['str', 'str', 'str', 'unsigned long', 'str']);
const unshareCall = libc.func('unshare', 'int', ['int']);
const killCall = libc.func('kill', 'int', ['int', 'int']);
const waitCall = libc.func('waitpid', 'int', ['int', 'void *', 'int']);
const setgroupsCall = libc.func('setgroups', 'int', ['size_t', 'void *']);
const setgidCall = libc.func('setresgid', 'int', ['uint', 'uint', 'uint']);
const setuidCall = libc.func('setresuid', 'int', ['uint', 'uint', 'uint']);
const capsetCall = libc.func('capset', 'int', ['void *', 'void *']);
const signalCall = libc.func('signal', 'void *', ['int', 'intptr']);
const socketpairCall = libc.func('socketpair', 'int', ['int', 'int', 'int', 'void *']);
const utimensatCall = libc.func('utimensat', 'int', ['int', 'str', 'void *', 'int']);
const execveCall = libc.func('execve', 'int', ['str', 'const char **', 'const char **']);
const fcntlCall = libc.func('fcntl', 'int', ['int', 'int', 'long']);
const socketCall = libc.func('socket', 'int', ['int', 'int', 'int']);
const bindCall = libc.func('bind', 'int', ['int', 'void *', 'uint']);
const connectCall = libc.func('connect', 'int', ['int', 'void *', 'uint']);
const closeCall = libc.func('close', 'int', ['int']);

const O_PATH = 0o10000000;
const O_CLOEXEC = 0o2000000;

/** A call of the kernel that failed. */
export class KernelError extends Error {
  readonly errno: number;

  constructor(call: string, errno: number) {
    super(`${call} failed with error ${errno}`);
    this.errno = errno;
  }
}

function must(call: string, result: number | bigint): number {
  if (Number(result) === -1) throw new KernelError(call, koffi.errno());
  return Number(result);
}

/** The version of Landlock; 0 if the kernel has none, or something forbids it. */
export function landlockVersion(): number {
  const version = Number(pointerFirstCall(CALL.landlockCreateRuleset, null, 0, 1));
  return Math.max(version, 0);
}

/** What a ruleset decides about; all other acts stay allowed. */
export interface LandlockScope {
  readonly files: number;
  readonly network: number;
  readonly scoped: number;
}

export function createRuleset({ files, network, scoped }: LandlockScope): number {
  const attributes = Buffer.alloc(24);
  attributes.writeBigUInt64LE(BigInt(files), 0);
  attributes.writeBigUInt64LE(BigInt(network), 8);
  attributes.writeBigUInt64LE(BigInt(scoped), 16);
  return must(
    'landlock_create_ruleset',
    pointerFirstCall(CALL.landlockCreateRuleset, attributes, attributes.length, 0),
  );
}

/** Allows `access` in the folder or file that is open as `descriptor`. */
export function allowPath(ruleset: number, descriptor: number, access: number): void {
  const rule = Buffer.alloc(12);
  rule.writeBigUInt64LE(BigInt(access), 0);
  rule.writeInt32LE(descriptor, 8);
  must('landlock_add_rule', pointerThirdCall(CALL.landlockAddRule, ruleset, 1, rule, 0));
}

/** Of the calling thread, and of what it starts. */
export function restrictSelf(ruleset: number): void {
  must('landlock_restrict_self', numberCall(CALL.landlockRestrictSelf, ruleset, 0, 0));
  closeCall(ruleset);
}

/** Throws unless this process may neither take nor reach a TCP port, tried on its own. */
export function assertNoTcp(): void {
  const [AF_INET, SOCK_STREAM, EACCES] = [2, 1, 13];
  const address = Buffer.alloc(16);
  address.writeUInt16LE(AF_INET, 0);
  address.writeUInt32BE(0x7f000001, 4);
  const socket = must('socket', socketCall(AF_INET, SOCK_STREAM, 0) as number);
  for (const [name, call] of [
    ['bind', bindCall],
    ['connect', connectCall],
  ] as const) {
    const result = call(socket, address, address.length) as number;
    if (result !== -1 || koffi.errno() !== EACCES) throw new Error(`${name} is not refused`);
  }
  closeCall(socket);
}

const PR_SET_PDEATHSIG = 1;
const PR_CAPBSET_DROP = 24;
const PR_SET_CHILD_SUBREAPER = 36;
const PR_SET_NO_NEW_PRIVS = 38;
const PR_CAP_AMBIENT = 47;

function prctl(option: number, ...values: number[]): number {
  const [a = 0, b = 0, c = 0, d = 0] = values;
  return prctlCall(option, a, b, c, d) as number;
}

export function setNoNewPrivileges(): void {
  must('no_new_privs', prctl(PR_SET_NO_NEW_PRIVS, 1));
}

/** Orphans of this process become its own children, so that they can be found. */
export function adoptOrphans(): void {
  must('subreaper', prctl(PR_SET_CHILD_SUBREAPER, 1));
}

export function dieWithParent(): void {
  must('pdeathsig', prctl(PR_SET_PDEATHSIG, 9));
}

/** Becomes an ordinary user for good. Only for root. */
export function becomeUser({ uid, gid }: { readonly uid: number; readonly gid: number }): void {
  // Fails for the first number that the kernel has no capability for.
  for (let capability = 0; prctl(PR_CAPBSET_DROP, capability) === 0; capability += 1);
  prctl(PR_CAP_AMBIENT, 4);
  must('setgroups', setgroupsCall(0, null) as number);
  must('setresgid', setgidCall(gid, gid, gid) as number);
  must('setresuid', setuidCall(uid, uid, uid) as number);
}

/** Drops what an ordinary user may have been given, the inheritable set included. */
export function dropCapabilities(): void {
  const header = Buffer.alloc(8);
  header.writeUInt32LE(0x20080522, 0);
  must('capset', capsetCall(header, Buffer.alloc(24)) as number);
}

/**
 * What this process and what it starts see differently from the rest of the computer: each folder of `covers` is
 * empty, and `from` is at `to`, also if both lie below one of those. Only for root.
 */
export function ownMounts({ covers, mounts }: OwnMounts): void {
  const [CLONE_NEWNS, MS_NOSUID_NODEV, MS_BIND, MS_REC, MS_PRIVATE] = [
    ...[0x20000, 6, 4096, 16384, 1 << 18],
  ] as [number, number, number, number, number];
  must('unshare', unshareCall(CLONE_NEWNS) as number);
  must('mount', mountCall('none', '/', null, MS_REC | MS_PRIVATE, null) as number);
  const opened = mounts.map(({ from, to }) => ({ to, from: openSync(from, O_PATH | O_CLOEXEC) }));
  for (const cover of covers) {
    must('mount', mountCall('tmpfs', cover, 'tmpfs', MS_NOSUID_NODEV, 'mode=755') as number);
  }
  for (const { from, to } of opened) {
    if (covers.some((cover) => to.startsWith(`${cover}/`))) mkdirSync(to, { recursive: true });
    must('mount', mountCall(`/proc/self/fd/${from}`, to, null, MS_BIND, null) as number);
    closeCall(from);
  }
}

const SECCOMP_SET_MODE_FILTER = 1;
const NEW_LISTENER = 1 << 3;
/** Only deadly signals interrupt a call that is being answered. */
const WAIT_KILLABLE = 1 << 5;

/** Installs a filter of the calling thread; returns the descriptor from which its questions are read. */
export function installFilter(filter: Buffer, withListener: boolean): number {
  const calls = NUMBERS[process.arch];
  if (calls === undefined) throw new Error(`no call numbers for ${process.arch}`);
  const program = Buffer.alloc(16);
  program.writeUInt16LE(filter.length / 8, 0);
  program.writeBigUInt64LE(koffi.address(filter), 8);
  const flags = withListener ? NEW_LISTENER | WAIT_KILLABLE : 0;
  const call = pointerThirdCall(calls.seccomp, SECCOMP_SET_MODE_FILTER, flags, program, 0);
  return must('seccomp', call);
}

/** A descriptor of another process, as one of this. */
export function takeDescriptor(pid: number, descriptor: number): number {
  const handle = must('pidfd_open', numberCall(CALL.pidfdOpen, pid, 0, 0));
  try {
    return must('pidfd_getfd', numberCall(CALL.pidfdGetfd, handle, descriptor, 0));
  } finally {
    closeCall(handle);
  }
}

/** Every descriptor but the three streams is closed when another program takes over. */
export function closeOnExec(): void {
  const CLOSE_RANGE_CLOEXEC = 4;
  must('close_range', numberCall(CALL.closeRange, 3, 0x7fffffff, CLOSE_RANGE_CLOEXEC));
}

/** Two ends of a stream, closed when another program takes over. */
export function streamPair(nonBlocking: boolean): [number, number] {
  const [AF_UNIX, SOCK_STREAM, SOCK_CLOEXEC, SOCK_NONBLOCK] = [1, 1, 0o2000000, 0o4000];
  const ends = Buffer.alloc(8);
  const type = SOCK_STREAM | SOCK_CLOEXEC | (nonBlocking ? SOCK_NONBLOCK : 0);
  must('socketpair', socketpairCall(AF_UNIX, type, 0, ends) as number);
  return [ends.readInt32LE(0), ends.readInt32LE(4)];
}

/** Sets both times of a file; `times` as the kernel takes them, null for now. */
export function setTimes(path: string, times: Buffer | null): void {
  must('utimensat', utimensatCall(-100, path, times, 0) as number);
}

/**
 * From now on this thread, and what it starts, sends signals only to what it starts. Returns what ends all of that, in
 * one step that no fork gets away from; there is no other way to that call, which would end the whole session.
 */
export function confineSignals(): () => void {
  restrictSelf(createRuleset({ files: 0, network: 0, scoped: SCOPE.signals }));
  return () => {
    killCall(-1, 9);
  };
}

/** Removes what is left of an ended child that nobody waits for. */
export function reap(pid: number): void {
  waitCall(pid, null, 1);
}

export function close(descriptor: number): void {
  closeCall(descriptor);
}

/** Replaces this process. Returns only by throwing. */
export function replaceBy(command: readonly string[], environment: Record<string, string>): never {
  const SIGPIPE = 13;
  // Node ignores it, and what is ignored stays so.
  signalCall(SIGPIPE, 0);
  // Nor does it let programs have its streams, unless it starts them.
  const F_SETFD = 2;
  for (const stream of [0, 1, 2]) fcntlCall(stream, F_SETFD, 0);
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  execveCall(command[0], [...command, null], [...variables, null]);
  throw new KernelError('execve', koffi.errno());
}

/** A question of a program whose call the filter stopped. */
export interface CallQuestion {
  readonly id: bigint;
  /** Id of the thread that calls. */
  readonly pid: number;
  readonly call: number;
  readonly arguments: readonly bigint[];
}

const RECEIVE = 0xc0502100;
const ANSWER = 0xc0182101;
const ADD_DESCRIPTOR = 0x40182103;

/** The next question; null if who asked has ended. */
export function receiveQuestion(listener: number): CallQuestion | null {
  const bytes = Buffer.alloc(80);
  if ((ioctlCall(listener, RECEIVE, bytes) as number) === -1) return null;
  return {
    id: bytes.readBigUInt64LE(0),
    pid: bytes.readUInt32LE(8),
    call: bytes.readInt32LE(16),
    arguments: [0, 1, 2, 3, 4, 5].map((at) => bytes.readBigUInt64LE(32 + at * 8)),
  };
}

/** `go_on` lets the kernel do the call as it stands in the registers; a number is its error, 0 its success. */
export function answerQuestion(listener: number, id: bigint, answer: number | 'go_on'): void {
  const bytes = Buffer.alloc(24);
  bytes.writeBigUInt64LE(id, 0);
  bytes.writeInt32LE(answer === 'go_on' ? 0 : -answer, 16);
  bytes.writeUInt32LE(answer === 'go_on' ? 1 : 0, 20);
  // Who asked may have ended.
  ioctlCall(listener, ANSWER, bytes);
}

/** Puts `source` in the place of the caller's descriptor `target`. */
export function giveDescriptor(
  listener: number,
  id: bigint,
  given: { readonly source: number; readonly target: number; readonly flags: number },
): void {
  const bytes = Buffer.alloc(24);
  bytes.writeBigUInt64LE(id, 0);
  bytes.writeUInt32LE(1, 8);
  bytes.writeUInt32LE(given.source, 12);
  bytes.writeUInt32LE(given.target, 16);
  bytes.writeUInt32LE(given.flags, 20);
  must('addfd', ioctlCall(listener, ADD_DESCRIPTOR, bytes) as number);
}

/** Calls `onReadable` whenever a question waits. Keep the result: a handle that nobody has is closed. */
export function watchQuestions(listener: number, onReadable: () => void): Disposable {
  // It is called with a status first, other than its type says.
  const onEvent = (...given: unknown[]): void => {
    const event = given.at(-1) as { readable: boolean; disconnect: boolean };
    if (event.readable) onReadable();
    else if (event.disconnect) handle.close();
  };
  const handle = koffi.node.poll(listener, { readable: true, disconnect: true }, onEvent);
  return { [Symbol.dispose]: () => handle.close() };
}
