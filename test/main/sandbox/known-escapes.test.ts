import { expect, test } from 'vitest';
import { knownEscapes } from '#main/sandbox/docker-provider/known-escapes.ts';

const judge = (engine: string, runc: string | null) => {
  const { open, doubtful } = knownEscapes({
    ...{ Version: engine, Os: 'linux', Arch: 'amd64' },
    Components:
      runc === null
        ? [{ Name: 'Podman Engine', Version: engine }]
        : [
            { Name: 'Engine', Version: engine },
            { Name: 'runc', Version: runc },
          ],
  });
  return [open.length, doubtful.length];
};

test.each([
  ['28.5.2', '1.3.3', [0, 0]],
  ['29.1.0', '1.4.0', [0, 0]],
  ['29.1.0', '1.4.0-rc.2', [0, 1]],
  ['27.0.0', '1.2.8', [0, 0]],
  ['27.0.0', '1.2.7', [0, 1]],
  ['25.0.0', '1.1.11', [0, 2]],
  ['20.10.24+dfsg1', '1.1.5+ds1', [0, 2]],
  ['19.03.0', '1.0.0-rc8', [1, 3]],
  ['18.09.1', '1.0.0-rc6+dev', [2, 3]],
  // Podman reports no runc; its own runtimes are not judged.
  ['5.2.0', null, [0, 0]],
])('engine %s with runc %s: open and doubtful holes', (engine, runc, expected) => {
  expect(judge(engine, runc)).toEqual(expected);
});
