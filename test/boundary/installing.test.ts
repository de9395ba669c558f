import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../../scripts/build-state.ts';

const read = (file: string): unknown => JSON.parse(readFileSync(join(ROOT, file), 'utf8'));

/**
 * `npm ci` must need only Node and npm. npm compiles a package with a `binding.gyp`, with Python and a
 * compiler, unless its package.json says `gypfile: false`; and an install from a lock file looks
 * there only where the lock says `hasInstallScript` (npm/cli#9859). `npm install` may drop that line.
 */
it('compiles nothing: packages ship their native code prebuilt, and the lock file makes npm check that', () => {
  const { packages } = read('package-lock.json') as {
    packages: Readonly<Record<string, { hasInstallScript?: boolean; gypfile?: boolean }>>;
  };
  const native = Object.entries(packages).filter(
    ([path]) => path !== '' && existsSync(join(ROOT, path, 'binding.gyp')),
  );
  const states = native.map(([path, { hasInstallScript }]) => {
    const { gypfile } = read(join(path, 'package.json')) as { gypfile?: boolean };
    return { path, hasInstallScript, gypfile };
  });
  expect(states).toEqual([
    {
      ...{ path: 'node_modules/better-sqlite3', hasInstallScript: true },
      ...{ gypfile: false },
    },
  ]);
  expect(existsSync(join(ROOT, 'node_modules/better-sqlite3/prebuilds'))).toBe(true);
});
