/** Calls that the filter of the shared host treats in its own way, by processor. */
export interface SharedHostCalls {
  /** Fork, in all its forms: asked about, because the system counts processes by user and not by sandbox. */
  readonly fork: readonly number[];
  readonly clone: number;
  readonly connect: number;
  readonly chmod: readonly number[];
  readonly fchmod: number;
  readonly fchmodat: number;
  readonly utimensat: number;
  readonly socket: number;
  readonly setsockopt: number;
  readonly socketpair: number;
  readonly sendto: number;
  readonly sendmsg: number;
  readonly sendmmsg: number;
  readonly ioctl: number;
  /** Refused with EPERM: no rule of Landlock covers what they change or show. */
  readonly refused: readonly number[];
  /** Refused with ENOSYS, as by an old kernel. */
  readonly absent: readonly number[];
  /** Refused with EPERM unless the process in their first argument is the caller's own (0). */
  readonly ownOnly: readonly number[];
  /** The same, with the process in the second argument. */
  readonly ownOnlySecond: readonly number[];
}

/** `fchmodat2`; the same number everywhere, as all later calls. */
export const FCHMODAT2 = 452;
const SET_XATTR_AT = 463;
const REMOVE_XATTR_AT = 466;
const FILE_GET_ATTR = 468;
const FILE_SET_ATTR = 469;
/** The first call that this table does not know: it and all later ones do not exist for programs. */
export const FIRST_UNKNOWN = 470;
const PROCESS_MADVISE = 440;
const PROCESS_MRELEASE = 448;

const TABLES: Readonly<Record<string, SharedHostCalls>> = {
  x64: {
    fork: [57, 58],
    clone: 56,
    connect: 42,
    chmod: [90],
    fchmod: 91,
    fchmodat: 268,
    utimensat: 280,
    socket: 41,
    setsockopt: 54,
    socketpair: 53,
    sendto: 44,
    sendmsg: 46,
    sendmmsg: 307,
    ioctl: 16,
    refused: [
      ...[92, 93, 94, 260], // chown, fchown, lchown, fchownat
      ...[49, 50], // bind, listen
      ...[154], // modify_ldt
      ...[256, 279], // migrate_pages, move_pages
      ...[312], // kcmp
      ...[300, 301], // fanotify_init, fanotify_mark
      ...[30, 31, 65, 66, 69, 70, 71, 220], // System V: shmat, shmctl, semop, semctl, msgsnd, msgrcv, msgctl, semtimedop
      ...[PROCESS_MADVISE, PROCESS_MRELEASE, FILE_GET_ATTR, FILE_SET_ATTR],
    ],
    absent: [
      ...[132, 235, 261], // utime, utimes, futimesat: the C library uses utimensat
      ...[188, 189, 190, 197, 198, 199, SET_XATTR_AT, REMOVE_XATTR_AT], // setxattr and its kin
      ...[253, 254, 294], // inotify
      ...[29, 64, 68], // shmget, semget, msgget: shared with the whole computer
      ...[240, 241], // mq_open, mq_unlink
      ...[319, 447], // memfd_create, memfd_secret
    ],
    // prlimit64, sched_setparam, sched_setscheduler, sched_setaffinity, sched_setattr
    ownOnly: [302, 142, 144, 203, 314],
    ownOnlySecond: [141, 251], // setpriority, ioprio_set
  },
  arm64: {
    fork: [],
    clone: 220,
    connect: 203,
    chmod: [],
    fchmod: 52,
    fchmodat: 53,
    utimensat: 88,
    socket: 198,
    setsockopt: 208,
    socketpair: 199,
    sendto: 206,
    sendmsg: 211,
    sendmmsg: 269,
    ioctl: 29,
    refused: [
      ...[54, 55], // fchownat, fchown
      ...[200, 201], // bind, listen
      ...[238, 239], // migrate_pages, move_pages
      ...[272], // kcmp
      ...[262, 263], // fanotify_init, fanotify_mark
      ...[187, 188, 189, 191, 192, 193, 195, 196], // System V
      ...[PROCESS_MADVISE, PROCESS_MRELEASE, FILE_GET_ATTR, FILE_SET_ATTR],
    ],
    absent: [
      ...[5, 6, 7, 14, 15, 16, SET_XATTR_AT, REMOVE_XATTR_AT],
      ...[26, 27], // inotify
      ...[186, 190, 194], // msgget, semget, shmget
      ...[180, 181], // mq_open, mq_unlink
      ...[279, 447], // memfd_create, memfd_secret
    ],
    ownOnly: [261, 118, 119, 122, 274],
    ownOnlySecond: [140, 30],
  },
};

/** The calls of `architecture`; undefined if they are not known. */
export function sharedHostCalls(architecture: string): SharedHostCalls | undefined {
  return TABLES[architecture];
}
