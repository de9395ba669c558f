/**
 * The system-call filter of every Linux sandbox, as a classic BPF program: bubblewrap installs it, and in a
 * container it adds to the engine's own. It closes holes that namespaces leave: socket families that are not
 * separated by network namespaces (AF_VSOCK reaches the host of a virtual machine), kernel key rings, typing
 * into a terminal, new user namespaces with their attack surface, and calls that only kernel exploits need
 * here. Programs may not trace others either: they could take over one of the app's own processes.
 */

type Architecture = 'x64' | 'arm64';

interface CallTable {
  readonly auditArch: number;
  readonly clone: number;
  readonly clone3: number;
  readonly ioctl: number;
  readonly socket: number;
  /** Refused with EPERM. */
  readonly refused: readonly number[];
  readonly memfdCreate: number;
  readonly msgget: number;
  readonly semget: number;
  readonly shmget: number;
}

/** Refused on every architecture under the same number: mount API, io_uring, pidfd_getfd, quotactl_fd. */
const COMMON_REFUSED = [425, 426, 427, 428, 429, 430, 431, 432, 433, 438, 442, 443, 467];

const CALLS: Readonly<Record<Architecture, CallTable>> = {
  x64: {
    auditArch: 0xc000003e,
    clone: 56,
    clone3: 435,
    ioctl: 16,
    socket: 41,
    memfdCreate: 319,
    msgget: 68,
    semget: 64,
    shmget: 29,
    refused: [
      101, // ptrace
      103, // syslog
      155, // pivot_root
      161, // chroot
      163, // acct
      164, // settimeofday
      165, // mount
      166, // umount2
      167, // swapon
      168, // swapoff
      169, // reboot
      172, // iopl
      173, // ioperm
      175, // init_module
      176, // delete_module
      179, // quotactl
      227, // clock_settime
      246, // kexec_load
      248, // add_key
      249, // request_key
      250, // keyctl
      272, // unshare
      298, // perf_event_open
      304, // open_by_handle_at
      308, // setns
      310, // process_vm_readv
      311, // process_vm_writev
      313, // finit_module
      320, // kexec_file_load
      321, // bpf
      323, // userfaultfd
      ...COMMON_REFUSED,
    ],
  },
  arm64: {
    auditArch: 0xc00000b7,
    clone: 220,
    clone3: 435,
    ioctl: 29,
    socket: 198,
    memfdCreate: 279,
    msgget: 186,
    semget: 190,
    shmget: 194,
    refused: [
      39, // umount2
      40, // mount
      41, // pivot_root
      51, // chroot
      60, // quotactl
      89, // acct
      97, // unshare
      104, // kexec_load
      105, // init_module
      106, // delete_module
      112, // clock_settime
      116, // syslog
      117, // ptrace
      142, // reboot
      170, // settimeofday
      217, // add_key
      218, // request_key
      219, // keyctl
      224, // swapon
      225, // swapoff
      241, // perf_event_open
      265, // open_by_handle_at
      268, // setns
      270, // process_vm_readv
      271, // process_vm_writev
      273, // finit_module
      280, // bpf
      282, // userfaultfd
      294, // kexec_file_load
      ...COMMON_REFUSED,
    ],
  },
};

const MEMFD_SECRET = 447;
/** Largest System V segment if memory is not counted: databases use a small one as a lock. */
const SYSTEM_V_BYTES = 4096;
/** Most semaphores of one System V set, in that case. */
const SYSTEM_V_SEMAPHORES = 32;

/** UNIX, IPv4, IPv6 and netlink: the families that programs need and network namespaces separate. */
const ALLOWED_FAMILIES = [1, 2, 10, 16];
/** TIOCSTI and TIOCLINUX. */
export const REFUSED_IOCTLS = [0x5412, 0x541c];
export const NEW_NAMESPACES = 0x7e020000;

export const EPERM = 1;
const ENOSPC = 28;
export const ENOSYS = 38;
export const EAFNOSUPPORT = 97;

export const ALLOW = 0x7fff0000;
const KILL_PROCESS = 0x80000000;
export const refuse = (errno: number): number => 0x00050000 | errno;

/** Offsets in `struct seccomp_data`; for an argument its low half, which the kernel reads. */
const NUMBER = 0;
const ARCHITECTURE = 4;
export const ARGUMENT_0 = 16;
export const ARGUMENT_1 = 24;
const ARGUMENT_1_HIGH = 28;
export const ARGUMENT_2 = 32;
export const ARGUMENT_3 = 40;

export interface Instruction {
  readonly code: number;
  readonly jumpTrue: number;
  readonly jumpFalse: number;
  readonly k: number;
}

export const load = (offset: number): Instruction => ({
  code: 0x20,
  jumpTrue: 0,
  jumpFalse: 0,
  k: offset,
});
export const answer = (value: number): Instruction => ({
  code: 0x06,
  jumpTrue: 0,
  jumpFalse: 0,
  k: value,
});
/** Continues with the next instruction if equal, else skips `skip`. */
export const ifEqual = (k: number, skip: number): Instruction => ({
  code: 0x15,
  jumpTrue: 0,
  jumpFalse: skip,
  k,
});
/** Continues with the next instruction if any bit of `k` is set, else skips `skip`. */
export const ifAnyBit = (k: number, skip: number): Instruction => ({
  code: 0x45,
  jumpTrue: 0,
  jumpFalse: skip,
  k,
});
/** Skips `skip` instructions if equal. */
export const skipIfEqual = (k: number, skip: number): Instruction => ({
  code: 0x15,
  jumpTrue: skip,
  jumpFalse: 0,
  k,
});
/** Keeps only the bits of `k` of what was loaded. */
export const mask = (k: number): Instruction => ({ code: 0x54, jumpTrue: 0, jumpFalse: 0, k });
export const ifAtLeast = (k: number, skip: number): Instruction => ({
  code: 0x35,
  jumpTrue: 0,
  jumpFalse: skip,
  k,
});

export interface FilterOptions {
  readonly countsAllMemory?: boolean;
  /** Rules of one provider, before all others. Each begins with the number of a call loaded, and answers. */
  readonly first?: readonly Instruction[];
}

/**
 * The program for `architecture`, or null if there is none; then there is no sandbox. Unless all memory is
 * counted, programs get none that outlives their mappings outside of a file system: a process can hide the
 * descriptor of a memfd, and System V memory belongs to no process.
 */
export function seccompFilter(
  architecture: string,
  { countsAllMemory = true, first = [] }: FilterOptions = {},
): Buffer | null {
  if (architecture !== 'x64' && architecture !== 'arm64') return null;
  const calls = CALLS[architecture];
  return encode([
    load(ARCHITECTURE),
    ...[ifEqual(calls.auditArch, 1), skipOne(), answer(KILL_PROCESS)],
    load(NUMBER),
    // The x32 calls of x86-64 use another table of numbers.
    ...(architecture === 'x64' ? [ifAtLeast(0x40000000, 1), answer(refuse(ENOSYS))] : []),
    ...first,
    ...calls.refused.flatMap((call) => [ifEqual(call, 1), answer(refuse(EPERM))]),
    ...(countsAllMemory ? [] : refuseHiddenMemory(calls)),
    // Its flags are in memory, which a filter cannot read; the C library falls back to `clone`.
    ...[ifEqual(calls.clone3, 1), answer(refuse(ENOSYS))],
    ...[
      ifEqual(calls.clone, 4),
      load(ARGUMENT_0),
      ifAnyBit(NEW_NAMESPACES, 1),
      answer(refuse(EPERM)),
    ],
    answer(ALLOW),
    ...allowFamilies(calls.socket),
    ...refuseIoctls(calls.ioctl),
    answer(ALLOW),
  ]);
}

/** Answers like kernels without these calls, so that programs use a file in /dev/shm or a pipe instead. */
function refuseHiddenMemory({ memfdCreate, msgget, semget, shmget }: CallTable): Instruction[] {
  return [
    ...[memfdCreate, MEMFD_SECRET, msgget].flatMap((call) => [
      ifEqual(call, 1),
      answer(refuse(ENOSYS)),
    ]),
    ...limitArgument(shmget, [
      ...[load(ARGUMENT_1_HIGH), ifAtLeast(1, 1), answer(refuse(ENOSPC))],
      ...[load(ARGUMENT_1), ifAtLeast(SYSTEM_V_BYTES + 1, 1), answer(refuse(ENOSPC))],
    ]),
    ...limitArgument(semget, [
      ...[load(ARGUMENT_1), ifAtLeast(SYSTEM_V_SEMAPHORES + 1, 1), answer(refuse(ENOSPC))],
    ]),
  ];
}

function limitArgument(call: number, checks: readonly Instruction[]): Instruction[] {
  return [ifEqual(call, checks.length + 1), ...checks, answer(ALLOW)];
}

function allowFamilies(socket: number): Instruction[] {
  const body = [
    load(ARGUMENT_0),
    ...ALLOWED_FAMILIES.flatMap((family) => [ifEqual(family, 1), answer(ALLOW)]),
    answer(refuse(EAFNOSUPPORT)),
  ];
  return [ifEqual(socket, body.length), ...body];
}

function refuseIoctls(ioctl: number): Instruction[] {
  const body = [
    load(ARGUMENT_1),
    ...REFUSED_IOCTLS.flatMap((request) => [ifEqual(request, 1), answer(refuse(EPERM))]),
  ];
  return [ifEqual(ioctl, body.length), ...body];
}

/** `BPF_JMP | BPF_JA`, over one instruction. */
function skipOne(): Instruction {
  return { code: 0x05, jumpTrue: 0, jumpFalse: 0, k: 1 };
}

function encode(instructions: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(instructions.length * 8);
  instructions.forEach(({ code, jumpTrue, jumpFalse, k }, index) => {
    const at = index * 8;
    bytes.writeUInt16LE(code, at);
    bytes.writeUInt8(jumpTrue, at + 2);
    bytes.writeUInt8(jumpFalse, at + 3);
    bytes.writeUInt32LE(k >>> 0, at + 4);
  });
  return bytes;
}
