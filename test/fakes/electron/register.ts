import { registerHooks } from 'node:module';

/** Loaded with `--import` before the program that asks for Electron. */
const standIn = new URL('./stand-in.ts', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' ? { url: standIn, shortCircuit: true } : next(specifier, context),
});
