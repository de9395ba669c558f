import { build } from './build-state.ts';

/** `npm run build`: everything that the doors need, into `out/`. */
process.exitCode = build() ? 0 : 1;
