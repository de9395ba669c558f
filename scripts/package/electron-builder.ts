import type { Target } from './targets.ts';

/**
 * What we use of electron-builder's API. Its own types bring the names of browsers (`lib="dom"`) into every file that is
 * compiled with them, so its name is hidden from the compiler and this says what we rely on.
 */
export interface AfterPack {
  readonly appOutDir: string;
  readonly packager: { getResourcesDir(appOutDir: string): string };
}

interface Builder {
  build(options: {
    readonly projectDir: string;
    readonly publish: 'never';
    readonly targets: unknown;
    /** Added to `electron-builder.json` of the project. */
    readonly config: Readonly<Record<string, unknown>>;
  }): Promise<readonly string[]>;
  readonly Platform: Readonly<
    Record<'LINUX' | 'WINDOWS' | 'MAC', { createTarget(formats: string[], arch: number): unknown }>
  >;
  readonly Arch: Readonly<Record<Target['arch'], number>>;
}

const NAME: string = 'electron-builder';

export async function loadElectronBuilder(): Promise<Builder> {
  return (await import(NAME)) as Builder;
}
