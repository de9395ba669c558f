import { expect, test } from 'vitest';
import { containerConfig, engineTraits } from '#main/sandbox/docker-provider/container-config.ts';
import { InfoAnswer } from '#main/sandbox/docker-provider/engine-answers.ts';

const limits = { memoryBytes: 2 ** 30, cpus: 2, pids: 128, fileBytes: 2 ** 31 };
const configFor = (info: Record<string, unknown>) =>
  containerConfig({
    ...{ imageId: 'sha256:1', labels: {}, workspaceDir: '/w', insideDir: '/inside', limits },
    traits: engineTraits(InfoAnswer.parse({ NCPU: 4, CgroupVersion: '2', ...info })),
  }) as { readonly User: string; readonly HostConfig: Record<string, unknown> };

test('the isolation of a container, rule by rule', () => {
  const { HostConfig, User } = configFor({});
  expect(User).toMatch(/^[1-9]\d*:[1-9]\d*$/);
  expect(HostConfig).toMatchObject({
    ...{ NetworkMode: 'none', CgroupnsMode: 'private', IpcMode: 'private', Init: true },
    ...{ CapDrop: ['ALL'], SecurityOpt: ['no-new-privileges:true'], ReadonlyRootfs: true },
    ...{ Memory: 2 ** 30, MemorySwap: 2 ** 30, NanoCpus: 2e9, PidsLimit: 128 },
    Mounts: [
      { Type: 'bind', Source: '/w', Target: '/workspace' },
      { Type: 'bind', Source: '/inside', Target: '/opt/hyperagent', ReadOnly: true },
    ],
  });
  // The engine's own system-call filter, and its kernel, are unchanged.
  expect(Object.keys(HostConfig)).not.toContain('Runtime');
  expect(JSON.stringify(HostConfig)).not.toMatch(/unconfined|Privileged|docker\.sock/);
});

test('gVisor is used where the engine offers it', () => {
  expect(configFor({ Runtimes: { runc: {}, runsc: { path: 'runsc' } } }).HostConfig.Runtime).toBe(
    'runsc',
  );
  expect(configFor({ Runtimes: { runc: {} } }).HostConfig.Runtime).toBeUndefined();
});

test('a rootless engine has root inside, who is the user outside', () => {
  expect(configFor({ SecurityOptions: ['name=rootless'] }).User).toBe('0:0');
});
