import { expect, test } from 'vitest';
import { hasKeys } from '#main/base/key-files.ts';

test.each([
  ...['.env', '.env.local', '.ENV.production', 'prod.env', '.npmrc', '.pypirc', '.netrc'],
  ...['.htpasswd', '.git-credentials', 'id_rsa', 'id_ed25519', 'server.pem', 'tls.key', 'a.P12'],
  ...['x.pfx', 'x.jks', 'release.keystore'],
])('%s holds keys', (name) => {
  expect(hasKeys(name)).toBe(true);
});

test.each([
  ...[
    '.env.example',
    '.env.sample',
    '.env.template',
    '.env.defaults',
    'env',
    'env.ts',
    '.envrc.md',
  ],
  ...['keys.ts', 'key', 'id_rsa.pub', 'pem.md', 'package.json', '.gitignore', 'environment.env.ts'],
])('%s holds none', (name) => {
  expect(hasKeys(name)).toBe(false);
});
