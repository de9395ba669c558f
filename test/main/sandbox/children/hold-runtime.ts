import { DockerProvider } from '#main/sandbox/docker-provider/docker-provider.ts';
import { LandlockProvider } from '#main/sandbox/landlock-provider/landlock-provider.ts';
import { BubblewrapProvider } from '#main/sandbox/os-provider/bubblewrap-provider.ts';
import { providerParts } from '../provider-parts.ts';

/** An app that runs an endless command and is killed meanwhile: `node hold-runtime.ts KIND DIR WORKSPACE`. */
const [kind, dir = '', workspaceDir = ''] = process.argv.slice(2);
const PROVIDERS = { docker: DockerProvider, os: BubblewrapProvider, landlock: LandlockProvider };
const Provider = PROVIDERS[kind as keyof typeof PROVIDERS];
const { signal } = new AbortController();
const limits = { memoryBytes: 2 ** 28, cpus: 1, pids: 64, fileBytes: 2 ** 20 };
const spec = { key: 'unified:test:held', workspaceDir, limits };
const runtime = await new Provider(providerParts(dir)).start(spec, signal);
const code = 'setsid bash -c "while :; do date +%s%N >tick; sleep 0.02; done" & wait';
await runtime.run(
  { commandId: 'c', language: 'bash', code, timeoutMs: 60_000 },
  { signal, onOutput: () => undefined },
);
