import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Process ids below `pid`, by the command line that each shows. Linux only. */
export function processesBelow(pid: number = process.pid): ReadonlyMap<number, string> {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const [, parent = ''] = /^PPid:\s+(\d+)/m.exec(read(`/proc/${name}/status`)) ?? [];
    parents.set(Number(name), Number(parent));
  }
  const found = new Map<number, string>();
  for (const child of parents.keys()) {
    let at = parents.get(child) ?? 0;
    while (at > 1 && at !== pid) at = parents.get(at) ?? 0;
    if (at === pid) found.set(child, read(`/proc/${child}/cmdline`).replaceAll('\0', ' '));
  }
  return found;
}

/** Those of Chromium: `browser` for the one that started the others, else the value of `--type`. */
export function chromiumProcesses(type: string): number[] {
  return [...processesBelow()]
    .filter(
      ([, command]) => command.includes('--remote-debugging-pipe') || / --type=/.test(command),
    )
    .filter(([, command]) => (/ --type=(\S+)/.exec(command)?.[1] ?? 'browser') === type)
    .map(([pid]) => pid);
}

/** Whether any of these processes still runs; those that ended but were not collected do not count. */
export function stillRunning(pids: readonly number[]): number[] {
  return pids.filter((pid) => /^State:\s+[^ZX]/m.test(read(`/proc/${pid}/status`)));
}

export interface SeenSocket {
  readonly protocol: string;
  readonly local: string;
  readonly remote: string;
}

/** Sockets of IP that these processes have open right now. */
export function socketsOf(pids: Iterable<number>): SeenSocket[] {
  const inodes = new Set<string>();
  for (const pid of pids) {
    for (const fd of list(`/proc/${pid}/fd`)) {
      const [, inode] = /^socket:\[(\d+)\]$/.exec(link(`/proc/${pid}/fd/${fd}`)) ?? [];
      if (inode !== undefined) inodes.add(inode);
    }
  }
  return ['tcp', 'tcp6', 'udp', 'udp6'].flatMap((protocol) =>
    read(`/proc/net/${protocol}`)
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      .filter((fields) => inodes.has(fields[9] ?? ''))
      .map(([, local = '', remote = '']) => ({
        protocol,
        local: readable(local),
        remote: readable(remote),
      })),
  );
}

/** `[2001:4860:4860::8888]:443` */
const IPV6_PROBE = 'udp6 [20014860486000000000000000008888]:443';

/**
 * Notes where the sockets of Chromium's processes below this one lead, until it is stopped. Sockets of UDP that lead
 * nowhere yet do not count: WebRTC opens some, and sends nothing. Nor does the one by which Chromium asks the kernel
 * whether there is a route for IPv6 (`kIPv6ProbeAddress` in its `net/dns/host_resolver_manager.cc`): `connect` of a UDP
 * socket sends nothing. It is there for a moment, once a second at most.
 */
export function watchSockets(): { stop(): ReadonlySet<string> } {
  const seen = new Set<string>();
  const timer = setInterval(() => {
    const pids = [...processesBelow()].filter(([, command]) => command.includes('chrom'));
    for (const { protocol, remote } of socketsOf(pids.map(([pid]) => pid))) {
      const socket = `${protocol} ${remote}`;
      if (!remote.endsWith(':0') && socket !== IPV6_PROBE) seen.add(socket);
    }
  }, 100);
  return {
    stop: () => {
      clearInterval(timer);
      return seen;
    },
  };
}

/** `0100007F:1F90` as `127.0.0.1:8080`: words of four bytes, each of them in the machine's order. */
function readable(hex: string): string {
  const [address = '', port = ''] = hex.split(':');
  const bytes = (address.match(/.{8}/g) ?? []).flatMap((word) =>
    (word.match(/../g) ?? []).reverse().map((byte) => Number.parseInt(byte, 16)),
  );
  const isMapped =
    bytes.length === 16 && bytes.slice(0, 12).join() === '0,0,0,0,0,0,0,0,0,0,255,255';
  const plain =
    bytes.length === 4 || isMapped
      ? bytes.slice(-4).join('.')
      : `[${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}]`;
  return `${plain}:${Number.parseInt(port, 16)}`;
}

function read(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    // The process has ended.
    return '';
  }
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // The process has ended.
    return [];
  }
}

function link(file: string): string {
  try {
    return readlinkSync(file);
  } catch {
    // It was closed meanwhile.
    return '';
  }
}
