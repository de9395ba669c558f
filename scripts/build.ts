import { build } from './build-state.ts';

/** `npm run build`: builds all entry points into `out/`. */
process.exitCode = build() ? 0 : 1;
