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
import type { OpenedFolder, SandboxLimits } from '../types.ts';
import { ORDINARY_UID } from '../workspace/owner.ts';
import type { InfoAnswer } from './engine-answers.ts';

/** Properties of the engine that decide how containers are made. */
export interface EngineTraits {
  /** The engine runs as the user, so root inside is the user outside, and no other user is mapped. */
  readonly rootless: boolean;
  readonly cpus: number;
  readonly cgroupVersion: '1' | '2';
  /** The engine offers gVisor, a separate kernel between programs and the host. */
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
  /** Folders that the user opened; none if absent. */
  readonly folders?: readonly OpenedFolder[];
  readonly limits: SandboxLimits;
  readonly traits: EngineTraits;
}

/**
 * The isolation as the engine's container settings: no network, no capabilities, no new privileges, a
 * read-only root, the workspace as the only writable folder of the host, limits for all processes
 * together. The engine's own system-call filter stays on; the shell adds ours.
 */
export function containerConfig(spec: ContainerSpec): Readonly<Record<string, unknown>> {
  const { limits, traits } = spec;
  const { '/dev/shm': shared = 0, ...scratch } = scratchFolders(limits.memoryBytes);
  return {
    Image: spec.imageId,
    // Sleeps forever: shells come and go beside it.
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
        ...(spec.folders ?? []).map(({ path, access }) => ({
          ...{ Type: 'bind', Source: path, Target: path },
          ReadOnly: access === 'read',
        })),
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
 * The user's own uid on Linux, so that files belong to them; another ordinary user if the app runs as
 * root, or if the engine runs in a virtual machine and maps file owners itself.
 */
function userInside({ rootless }: EngineTraits): string {
  if (rootless) return '0:0';
  const uid = process.getuid?.() ?? 0;
  const gid = process.getgid?.() ?? 0;
  return process.platform === 'linux' && uid !== 0
    ? `${uid}:${gid}`
    : `${ORDINARY_UID}:${ORDINARY_UID}`;
}

/** The file inside in which the kernel counts out-of-memory kills. */
export function oomCounterFile({ cgroupVersion }: EngineTraits): string {
  return cgroupVersion === '2'
    ? '/sys/fs/cgroup/memory.events'
    : '/sys/fs/cgroup/memory/memory.oom_control';
}

/** Facts for the probes. The user namespace is not listed, because it is the engine's, hence the host's. */
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
