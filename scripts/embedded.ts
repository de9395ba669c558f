import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './build-state.ts';

/**
 * `npm run embedded`: installs the runtime for models without a server, CPU only. For a GPU, also install
 * its package, for example:
 *
 *   npm install --prefix .embedded @node-llama-cpp/linux-x64-vulkan@3.22.1
 */
const VERSION = '3.22.1';
const PLATFORMS: Readonly<Record<string, string>> = {
  'linux x64': 'linux-x64',
  'linux arm64': 'linux-arm64',
  'darwin arm64': 'mac-arm64-metal',
  'darwin x64': 'mac-x64',
  'win32 x64': 'win-x64',
  'win32 arm64': 'win-arm64',
};

const platform = PLATFORMS[`${process.platform} ${process.arch}`];
if (platform === undefined) {
  process.stderr.write(`The runtime is not available for ${process.platform} ${process.arch}.\n`);
  process.exitCode = 1;
} else {
  const folder = join(ROOT, '.embedded');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
  const packages = [`node-llama-cpp@${VERSION}`, `@node-llama-cpp/${platform}@${VERSION}`];
  const flags = ['--omit=optional', '--ignore-scripts', '--no-audit', '--no-fund', '--force'];
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const { status } = spawnSync(
    npm,
    ['install', '--silent', '--prefix', folder, ...flags, ...packages],
    {
      stdio: 'inherit',
      shell: process.platform === 'win32',
    },
  );
  if (status === 0) process.stdout.write('The embedded runtime is installed.\n');
  process.exitCode = status ?? 1;
}
