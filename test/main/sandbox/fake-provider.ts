import type { ProbeResult } from '#contract/entities.ts';
import type { SandboxKind } from '#contract/vocabulary.ts';
import type { SeenProcess } from '#main/sandbox/shell/shell-process.ts';
import type {
  CommandResult,
  ProviderState,
  RuntimeSpec,
  SandboxNetwork,
  SandboxProvider,
  SandboxRuntime,
} from '#main/sandbox/types.ts';
import type { ProofStore, SandboxProof } from '#main/storage/types.ts';

/** A provider that runs nothing and records its calls. */
export class FakeProvider implements SandboxProvider {
  readonly kind: SandboxKind;
  readonly isOptIn?: true;
  readonly calls: string[] = [];
  state: ProviderState = { status: 'ready', detail: 'fake', fingerprint: 'one' };
  probes: ProbeResult[] = [{ name: 'connect_public', held: true, detail: 'refused' }];
  network: SandboxNetwork | null = null;
  /** What runs in every runtime of this. */
  programs: SeenProcess[] | null = [];
  /** Awaited by each start, so that a test can delay it. */
  gate: Promise<void> = Promise.resolve();
  /** Awaited by each command. */
  commandGate: Promise<void> = Promise.resolve();

  constructor(kind: SandboxKind) {
    this.kind = kind;
    if (kind === 'e2b') this.isOptIn = true;
  }

  async inspect(): Promise<ProviderState> {
    this.calls.push('inspect');
    return this.state;
  }

  async prepare(onProgress: (line: string) => void): Promise<void> {
    this.calls.push('prepare');
    onProgress('Step 1/2');
    this.state = { status: 'ready', detail: 'fake', fingerprint: 'prepared' };
  }

  async probe(): Promise<ProbeResult[]> {
    this.calls.push('probe');
    return this.probes;
  }

  async start({ key }: RuntimeSpec): Promise<SandboxRuntime> {
    this.calls.push(`start ${key}`);
    await this.gate;
    const getNetwork = (): SandboxNetwork | null => this.network;
    return {
      get network() {
        return getNetwork();
      },
      level: this.kind === 'os' ? 'bubblewrap' : this.kind,
      run: async ({ code }): Promise<CommandResult> => {
        this.calls.push(`run ${code}`);
        await this.commandGate;
        return {
          ...{ outcome: 'completed', exitCode: 0, stdout: code, stderr: '' },
          ...{ durationMs: 1, sessionLost: false },
        };
      },
      programs: async () => this.programs,
      endPrograms: async () => {
        this.calls.push(`end programs ${key}`);
        this.programs = [];
      },
      [Symbol.asyncDispose]: async () => {
        this.calls.push(`end ${key}`);
      },
    };
  }
}

export function memoryProofStore(): ProofStore {
  const proofs = new Map<string, SandboxProof>();
  return {
    get: (kind) => proofs.get(kind) ?? null,
    put: (proof) => void proofs.set(proof.kind, proof),
    delete: (kind) => void proofs.delete(kind),
  };
}
