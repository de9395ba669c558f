/** Rights of Landlock on files; docs.kernel.org/userspace-api/landlock.html */
export const RIGHT = {
  execute: 1 << 0,
  writeFile: 1 << 1,
  readFile: 1 << 2,
  readDir: 1 << 3,
  removeDir: 1 << 4,
  removeFile: 1 << 5,
  makeCharacterDevice: 1 << 6,
  makeDir: 1 << 7,
  makeFile: 1 << 8,
  makeSocket: 1 << 9,
  makeFifo: 1 << 10,
  makeBlockDevice: 1 << 11,
  makeLink: 1 << 12,
  refer: 1 << 13,
  truncate: 1 << 14,
  deviceIoctl: 1 << 15,
} as const;

/** Everything above: what no rule allows is refused. */
export const ALL_RIGHTS = 0xffff;
export const NETWORK_RIGHTS = { bindTcp: 1, connectTcp: 2 } as const;
export const SCOPE = { abstractSockets: 1, signals: 2 } as const;

export const READ = RIGHT.execute | RIGHT.readFile | RIGHT.readDir;
/** Also devices and sockets are made by nobody. */
export const WRITE =
  READ |
  RIGHT.writeFile |
  RIGHT.truncate |
  RIGHT.removeDir |
  RIGHT.removeFile |
  RIGHT.makeDir |
  RIGHT.makeFile |
  RIGHT.makeFifo |
  RIGHT.makeLink |
  RIGHT.refer;
export const USE_DEVICE = RIGHT.readFile | RIGHT.writeFile;
/** Rights that a rule of a file, not of a folder, may have. */
export const FILE_RIGHTS =
  RIGHT.execute | RIGHT.writeFile | RIGHT.readFile | RIGHT.truncate | RIGHT.deviceIoctl;

/** Makes folders of root reachable for the ordinary user that its programs run as. */
export interface OwnMounts {
  /** Folders that only root may enter, such as its home. */
  readonly covers: readonly string[];
  readonly mounts: readonly { readonly from: string; readonly to: string }[];
}

/**
 * Everything that the launcher does to itself before it becomes the shell, as JSON. What the tests of the isolation
 * take away is a field of this.
 */
export interface LandlockPlan {
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly workingDir: string;
  /** Whom programs run as; null unless the app runs as root. */
  readonly user: { readonly uid: number; readonly gid: number } | null;
  /** Null unless the app runs as root. */
  readonly ownMounts: OwnMounts | null;
  readonly rules: readonly { readonly path: string; readonly access: number }[];
  /** What Landlock decides about. */
  readonly handled: {
    readonly files: number;
    readonly network: number;
    readonly scoped: number;
  };
  readonly noNewPrivileges: boolean;
  /** The system-call filter, in base64. */
  readonly filter: string;
  /** Whether the filter asks the launcher about some calls. */
  readonly asks: boolean;
  /** Folders, by their names inside and outside, in which programs may change modes and times of files. */
  readonly writableFolders: readonly string[];
  /** Processes and threads at one time. */
  readonly maxTasks: number;
  /** Ports on the loopback of programs that lead to the app; null if there is no channel. */
  readonly ports: { readonly proxy: number; readonly call: number } | null;
}
