import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

type YamlParser = typeof import('./yaml-parser.ts');

/** In development beside this file; in the bundle a separate file, above the chunks. */
const PLACES = ['yaml-parser.ts', 'yaml-parser.js', '../yaml-parser.js'];
const FOUND = PLACES.map((place) => path.join(import.meta.dirname, place)).find(existsSync);
const load = createRequire(import.meta.url);

/**
 * The parser, loaded on first use: loading it takes longer than parsing every front matter, and most starts
 * of the app parse none. Listing skills is synchronous, so it is loaded with `require`.
 */
export function loadYaml(): YamlParser {
  if (FOUND === undefined)
    throw new Error('The app is incomplete: yaml-parser.js is missing. Install it again.');
  return load(FOUND) as YamlParser;
}
