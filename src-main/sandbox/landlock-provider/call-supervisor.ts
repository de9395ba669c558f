import {
  chmodSync,
  closeSync,
  fstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  readSync,
} from 'node:fs';
import net from 'node:net';
import type { Duplex } from 'node:stream';
import { readOrEmpty } from '../os-provider/inside-processes.ts';
import { FCHMODAT2, type SharedHostCalls } from './call-numbers.ts';
import {
  answerQuestion,
  type CallQuestion,
  close,
  giveDescriptor,
  KernelError,
  reap,
  receiveQuestion,
  setTimes,
  streamPair,
} from './kernel-calls.ts';
import type { LandlockPlan } from './landlock-plan.ts';
import { descendantsOf, threadsOf } from './sandbox-tasks.ts';

const ERROR = {
  EPERM: 1,
  EBADF: 9,
  EAGAIN: 11,
  EACCES: 13,
  EFAULT: 14,
  EINVAL: 22,
  ENOTSOCK: 88,
  EOPNOTSUPP: 95,
  EAFNOSUPPORT: 97,
  ENETUNREACH: 101,
  EISCONN: 106,
  ECONNREFUSED: 111,
} as const;

const AT_FDCWD = -100;
const AT_SYMLINK_NOFOLLOW = 0x100;
const AT_EMPTY_PATH = 0x1000;
const O_PATH = 0o10000000;
const O_CLOEXEC = 0o2000000;
const O_NOFOLLOW = 0o400000;
const O_NONBLOCK = 0o4000;
/** Bits of a mode that give a program another owner, or keep others from removing a file. */
const SPECIAL_MODE = 0o7000;
const PATH_BYTES = 4096;
const [AF_INET, AF_INET6] = [2, 10];

export interface SupervisorParts {
  readonly listener: number;
  readonly calls: SharedHostCalls;
  readonly plan: Pick<LandlockPlan, 'maxTasks' | 'ports' | 'writableFolders' | 'user'>;
  /** Opens a connection of a program to the app. */
  readonly connect: (kind: 'proxy' | 'call') => Duplex;
  /** The shell: a child that is waited for elsewhere. */
  readonly shellPid: number;
}

/**
 * Answers for the kernel where a filter cannot decide: it sees numbers, not what is behind a pointer. Whatever is
 * behind one is read once, and the act is done here, so that changing it afterwards changes nothing; only for a fork,
 * which has no pointer that matters, the kernel goes on by itself.
 */
export class CallSupervisor {
  readonly #parts: SupervisorParts;
  /** Processes and threads when last counted, with those that were allowed since. */
  #tasks = 0;
  /** Inodes of the sockets that were given out and are still open at this end. */
  readonly #given = new Set<string>();

  constructor(parts: SupervisorParts) {
    this.#parts = parts;
  }

  /** Answers one waiting question. */
  handle(): void {
    const question = receiveQuestion(this.#parts.listener);
    if (question === null) return;
    let answer: number | 'go_on';
    try {
      answer = this.#decide(question);
    } catch (error) {
      answer = errorNumber(error);
    }
    answerQuestion(this.#parts.listener, question.id, answer);
  }

  /** Counts what runs, and removes what nobody waited for. */
  countTasks(): void {
    let tasks = 0;
    for (const pid of descendantsOf(process.pid)) {
      const stat = readOrEmpty(`/proc/${pid}/stat`);
      const isDead = stat.slice(stat.lastIndexOf(')') + 2).startsWith('Z');
      if (isDead && pid !== this.#parts.shellPid && threadsOf(pid).length <= 1) reap(pid);
      else tasks += threadsOf(pid).length;
    }
    this.#tasks = tasks;
  }

  #decide(question: CallQuestion): number | 'go_on' {
    const { calls } = this.#parts;
    const { call } = question;
    if (call === calls.clone || calls.fork.includes(call)) return this.#fork();
    if (call === calls.connect) return this.#connect(question);
    if (call === calls.utimensat) return this.#setTimes(question);
    return this.#changeMode(question);
  }

  #fork(): number | 'go_on' {
    const { maxTasks } = this.#parts.plan;
    if (this.#tasks + 1 > maxTasks) this.countTasks();
    if (this.#tasks + 1 > maxTasks) return ERROR.EAGAIN;
    this.#tasks += 1;
    return 'go_on';
  }

  /**
   * No socket of a program ever connects: one end of a stream to the app takes its place, if it was to one of the
   * two ports that are the app's.
   */
  #connect({ id, pid, arguments: [socket = 0n, address = 0n, length = 0n] }: CallQuestion): number {
    const target = Number(socket & 0xffffffffn);
    const link = linkOf(pid, target);
    if (link === null) return ERROR.EBADF;
    if (!link.startsWith('socket:')) return ERROR.ENOTSOCK;
    if (this.#given.has(link)) return ERROR.EISCONN;
    const bytes = readMemory(pid, address, Math.min(Number(length), 28));
    const port = loopbackPort(bytes);
    if (port === 'not_internet') return ERROR.EAFNOSUPPORT;
    if (port === 'not_loopback') return ERROR.ENETUNREACH;
    const { ports } = this.#parts.plan;
    const kind = port === ports?.proxy ? 'proxy' : port === ports?.call ? 'call' : null;
    if (kind === null) return ERROR.ECONNREFUSED;
    const flags = descriptorFlags(pid, target);
    const [own, given] = streamPair((flags & O_NONBLOCK) !== 0);
    const givenLink = linkOf(process.pid, given) ?? '';
    try {
      const replaced = { source: given, target, flags: flags & O_CLOEXEC };
      giveDescriptor(this.#parts.listener, id, replaced);
    } catch (error) {
      close(own);
      throw error;
    } finally {
      close(given);
    }
    this.#given.add(givenLink);
    join(new net.Socket({ fd: own, allowHalfOpen: true }), this.#parts.connect(kind), () =>
      this.#given.delete(givenLink),
    );
    return 0;
  }

  #changeMode({ pid, call, arguments: given }: CallQuestion): number {
    const { calls } = this.#parts;
    const [first = 0n, second = 0n, third = 0n, fourth = 0n] = given;
    if (call === calls.fchmod) return this.#applyMode(pid, { descriptor: first }, second);
    if (calls.chmod.includes(call)) {
      return this.#applyMode(pid, { path: first, flags: 0 }, second);
    }
    const flags = call === FCHMODAT2 ? Number(fourth & 0xffffffffn) : 0;
    return this.#applyMode(pid, { descriptor: first, path: second, flags }, third);
  }

  #applyMode(pid: number, named: NamedFile, mode: bigint): number {
    const bits = Number(mode & 0o7777n);
    if ((bits & SPECIAL_MODE & 0o6000) !== 0) return ERROR.EPERM;
    return this.#withFile(pid, named, (path, isLink) => {
      if (isLink) return ERROR.EOPNOTSUPP;
      chmodSync(path, bits);
      return 0;
    });
  }

  #setTimes({ pid, arguments: given }: CallQuestion): number {
    const [descriptor = 0n, path = 0n, times = 0n, flags = 0n] = given;
    const values = times === 0n ? null : readMemory(pid, times, 32);
    const named: NamedFile =
      path === 0n ? { descriptor } : { descriptor, path, flags: Number(flags & 0xffffffffn) };
    return this.#withFile(pid, named, (file, isLink) => {
      // The times of a link itself matter to nobody.
      if (!isLink) setTimes(file, values);
      return 0;
    });
  }

  /** Acts on a file of the sandbox, held open meanwhile; any other is refused. */
  #withFile(pid: number, named: NamedFile, act: (path: string, isLink: boolean) => number): number {
    const descriptor = openNamed(pid, named);
    try {
      const path = `/proc/self/fd/${descriptor}`;
      const found = readlinkSync(path);
      const { writableFolders, user } = this.#parts.plan;
      const isInside = writableFolders.some((dir) => found === dir || found.startsWith(`${dir}/`));
      const status = fstatSync(descriptor);
      const isOwn = status.uid === (user?.uid ?? process.getuid?.());
      if (!isInside || !isOwn) return ERROR.EPERM;
      return act(path, status.isSymbolicLink());
    } finally {
      closeSync(descriptor);
    }
  }
}

/** How a call names a file: by a path, relative to a descriptor or the working directory, or by a descriptor. */
interface NamedFile {
  readonly descriptor?: bigint;
  readonly path?: bigint;
  readonly flags?: number;
}

function openNamed(pid: number, { descriptor, path, flags = 0 }: NamedFile): number {
  const number = descriptor === undefined ? AT_FDCWD : Number(BigInt.asIntN(32, descriptor));
  const text = path === undefined ? '' : readPath(pid, path);
  const base = number === AT_FDCWD ? `/proc/${pid}/cwd` : `/proc/${pid}/fd/${number}`;
  if (text === '') {
    const isAllowed = path === undefined || (flags & AT_EMPTY_PATH) !== 0;
    if (!isAllowed) throw new KernelError('open', 2);
    return openSync(base, O_PATH | O_CLOEXEC);
  }
  const noFollow = (flags & AT_SYMLINK_NOFOLLOW) === 0 ? 0 : O_NOFOLLOW;
  return openSync(ofCaller(pid, text) ?? `${base}/${text}`, O_PATH | O_CLOEXEC | noFollow);
}

/**
 * An absolute path as the caller sees it, whose mounts may be others; `/proc/self` and the like mean the caller, not
 * this process. Null for a relative one.
 */
function ofCaller(pid: number, path: string): string | null {
  if (!path.startsWith('/')) return null;
  const own = /^\/+(?:proc\/+(?:self|thread-self)\/+fd|dev\/+fd)\/+(\d+)$/.exec(path)?.[1];
  return own === undefined ? `/proc/${pid}/root${path}` : `/proc/${pid}/fd/${own}`;
}

function readPath(pid: number, address: bigint): string {
  const bytes = readMemory(pid, address, PATH_BYTES);
  const end = bytes.indexOf(0);
  if (end < 0) throw new KernelError('open', 36);
  // A path is bytes; one that is no UTF-8 cannot be opened by Node under its name.
  return bytes.toString('utf8', 0, end);
}

/** The bytes at `address`, fewer where the memory ends. Throws if there is none. */
function readMemory(pid: number, address: bigint, length: number): Buffer {
  const memory = openSync(`/proc/${pid}/mem`, 'r');
  try {
    const bytes = Buffer.alloc(length);
    return bytes.subarray(0, readSync(memory, bytes, 0, length, address));
  } catch {
    throw new KernelError('read', ERROR.EFAULT);
  } finally {
    closeSync(memory);
  }
}

function linkOf(pid: number, descriptor: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/fd/${descriptor}`);
  } catch {
    // There is none of this number.
    return null;
  }
}

function descriptorFlags(pid: number, descriptor: number): number {
  const text = readFileSync(`/proc/${pid}/fdinfo/${descriptor}`, 'latin1');
  return Number.parseInt(/^flags:\s*([0-7]+)$/m.exec(text)?.[1] ?? '0', 8);
}

/** The port of an address on the loopback. */
function loopbackPort(bytes: Buffer): number | 'not_loopback' | 'not_internet' {
  const family = bytes.length < 8 ? 0 : bytes.readUInt16LE(0);
  if (family === AF_INET) {
    return bytes[4] === 127 || bytes.readUInt32BE(4) === 0 ? bytes.readUInt16BE(2) : 'not_loopback';
  }
  if (family !== AF_INET6 || bytes.length < 24) return 'not_internet';
  const host = bytes.subarray(8, 24).toString('hex');
  const isLoopback = /^0{31}1$/.test(host) || /^0{20}ffff7f/.test(host);
  return isLoopback ? bytes.readUInt16BE(2) : 'not_loopback';
}

/** Connects two streams; each ends with the other. */
function join(one: Duplex, other: Duplex, onEnd: () => void): void {
  one.pipe(other);
  other.pipe(one);
  const end = (): void => {
    one.destroy();
    other.destroy();
  };
  one.on('error', end);
  other.on('error', end);
  one.once('close', () => {
    onEnd();
    if (!other.destroyed && !other.writableEnded) other.destroy();
  });
  other.once('close', () => {
    // One that was ended still has to write what the program has not read.
    if (!one.writableEnded) one.destroy();
  });
}

function errorNumber(error: unknown): number {
  if (error instanceof KernelError) return error.errno;
  const number = (error as { errno?: unknown }).errno;
  return typeof number === 'number' && number < 0 ? -number : ERROR.EACCES;
}
