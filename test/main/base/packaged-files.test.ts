import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { besideArchive, shippedNode } from '#main/base/packaged-files.ts';

it.each([
  ['/opt/HyperAgent/resources/app.asar', '/opt/HyperAgent/resources/app.asar.unpacked'],
  ['/r/app.asar/out/main/a.js', '/r/app.asar.unpacked/out/main/a.js'],
  ['C:\\r\\app.asar\\out\\a.js', 'C:\\r\\app.asar.unpacked\\out\\a.js'],
  ['/r/app.asar.unpacked/out/a.js', '/r/app.asar.unpacked/out/a.js'],
  ['/home/me/app.asarium/a.js', '/home/me/app.asarium/a.js'],
  ['/home/me/hyperagent', '/home/me/hyperagent'],
])('%s is outside the archive at %s', (file, outside) => {
  expect(besideArchive(file)).toBe(outside);
});

it('the Node of a package is found from its archive and from beside it, and nowhere else', () => {
  const resources = mkdtempSync(join(tmpdir(), 'hyperagent-resources-'));
  onTestFinished(() => rmSync(resources, { recursive: true, force: true }));
  const inside = join(resources, 'app.asar', 'out', 'main', 'chunks', 'a.js');
  const beside = join(resources, 'app.asar.unpacked', 'out', 'main', 'a.js');
  expect([shippedNode(inside), shippedNode(beside)]).toEqual([null, null]);

  const name = process.platform === 'win32' ? 'node.exe' : join('bin', 'node');
  const node = join(resources, 'node', name);
  mkdirSync(join(node, '..'), { recursive: true });
  writeFileSync(node, '');
  expect([shippedNode(inside), shippedNode(beside)]).toEqual([node, node]);
  expect([shippedNode(join(resources, 'out', 'a.js')), shippedNode()]).toEqual([null, null]);
});
