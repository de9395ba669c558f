import {
  ALLOWED_ENVIRONMENT,
  COMMON_ENVIRONMENT,
  INSIDE_FILES,
  NETWORK_ENVIRONMENT,
  PROXY_PORT,
  SCRIPT_DIR,
  scratchFolders,
  WORKSPACE,
} from '../inside.ts';
import type { InsideFacts } from '../isolation-probes/probe-targets.ts';
import type { SandboxLimits } from '../types.ts';
import { ORDINARY_UID } from '../workspace/owner.ts';
import type { InfoAnswer } from './engine-answers.ts';

/** What of an engine decides how a container is made. */
export interface EngineTraits {
  /** The engine runs as the person, so root inside is the person outside, and nobody else is mapped. */
  readonly rootless: boolean;
  readonly cpus: number;
  readonly cgroupVersion: '1' | '2';
  /** The engine offers gVisor, a kernel of its own between programs and the host's. */
  readonly hasGvisor: boolean;
}

const GVISOR = 'runsc';

export function engineTraits(info: InfoAnswer): EngineTraits {
  return {
    rootless: (info.SecurityOptions ?? []).some((option) => option.startsWith('name=rootless')),
    cpus: info.NCPU,
    cgroupVersion: info.CgroupVersion === '2' ? '2' : '1',
    hasGvisor: Object.hasOwn(info.Runtimes ?? {}, GVISOR),
  };
}

export interface ContainerSpec {
  readonly imageId: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly workspaceDir: string;
  /** Folder of the host that is `/opt/hyperagent` inside. */
  readonly insideDir: string;
  readonly limits: SandboxLimits;
  readonly traits: EngineTraits;
}

/**
 * The wall as the engine's settings for a container: no network, no capability, no new privileges, a
 * root that cannot be written, the workspace as the one folder of the host, limits for all processes
 * together. The engine's own filter of system calls stays on; ours is put beside it by the shell.
 */
export function containerConfig(spec: ContainerSpec): Readonly<Record<string, unknown>> {
  const { limits, traits } = spec;
  const { '/dev/shm': shared = 0, ...scratch } = scratchFolders(limits.memoryBytes);
  return {
    Image: spec.imageId,
    // Does nothing, for ever: shells come and go beside it.
    Cmd: ['sleep', 'infinity'],
    User: userInside(traits),
    Hostname: 'sandbox',
    WorkingDir: WORKSPACE,
    NetworkDisabled: true,
    Labels: spec.labels,
    Env: Object.entries({ ...COMMON_ENVIRONMENT, ...NETWORK_ENVIRONMENT }).map(
      ([name, value]) => `${name}=${value}`,
    ),
    HostConfig: {
      Init: true,
      ...(traits.hasGvisor ? { Runtime: GVISOR } : {}),
      NetworkMode: 'none',
      CgroupnsMode: 'private',
      IpcMode: 'private',
      CapDrop: ['ALL'],
      SecurityOpt: ['no-new-privileges:true'],
      ReadonlyRootfs: true,
      Mounts: [
        { Type: 'bind', Source: spec.workspaceDir, Target: WORKSPACE },
        { Type: 'bind', Source: spec.insideDir, Target: INSIDE_FILES, ReadOnly: true },
      ],
      Tmpfs: Object.fromEntries(
        Object.entries(scratch).map(([path, bytes]) => [
          path,
          `rw,nosuid,nodev,exec,mode=1777,size=${bytes}`,
        ]),
      ),
      ShmSize: shared,
      Memory: limits.memoryBytes,
      MemorySwap: limits.memoryBytes,
      NanoCpus: Math.round(Math.min(limits.cpus, traits.cpus) * 1e9),
      PidsLimit: limits.pids,
      Ulimits: [
        { Name: 'fsize', Soft: limits.fileBytes, Hard: limits.fileBytes },
        { Name: 'core', Soft: 0, Hard: 0 },
      ],
      OomScoreAdj: 500,
      LogConfig: { Type: 'none', Config: {} },
    },
  };
}

/**
 * The person's own uid on Linux, so that files belong to them; another ordinary user where the app
 * runs as root or the engine, in a virtual machine, gives the files to whoever asks.
 */
function userInside({ rootless }: EngineTraits): string {
  if (rootless) return '0:0';
  const uid = process.getuid?.() ?? 0;
  const gid = process.getgid?.() ?? 0;
  return process.platform === 'linux' && uid !== 0
    ? `${uid}:${gid}`
    : `${ORDINARY_UID}:${ORDINARY_UID}`;
}

/** Where the kernel counts what it killed for lack of memory, seen from inside. */
export function oomCounterFile({ cgroupVersion }: EngineTraits): string {
  return cgroupVersion === '2'
    ? '/sys/fs/cgroup/memory.events'
    : '/sys/fs/cgroup/memory/memory.oom_control';
}

/** What the probes are told about this wall. The user namespace is the engine's, which is the host's. */
export function containerInside(traits: EngineTraits): InsideFacts {
  const scratch = Object.keys(scratchFolders(0));
  return {
    workspace: WORKSPACE,
    scriptDir: SCRIPT_DIR,
    allowedEnvironment: [...ALLOWED_ENVIRONMENT, 'HOSTNAME'],
    mounts: [
      ...['/', '/proc', '/dev', '/sys', WORKSPACE, INSIDE_FILES, ...scratch],
      // Files that the engine makes for each container; docker-init is the first process.
      ...[
        '/etc/resolv.conf',
        '/etc/hostname',
        '/etc/hosts',
        '/sbin/docker-init',
        '/usr/sbin/docker-init',
      ],
      ...['/run/.containerenv', '/run/podman-init', '/etc/passwd', '/etc/group'],
    ],
    writableMounts: [WORKSPACE, '/proc', '/dev', '/dev/pts', '/dev/mqueue', ...scratch],
    namespaces: ['pid', 'net', 'ipc', 'uts', 'mnt', 'cgroup'],
    rootIsNobody: traits.rootless,
    proxyPort: PROXY_PORT,
  };
}
