import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

type YamlParser = typeof import('./yaml-parser.ts');

/** Beside the sources; in the bundle a file of its own, above the chunks. */
const PLACES = ['yaml-parser.ts', 'yaml-parser.js', '../yaml-parser.js'];
const FOUND = PLACES.map((place) => path.join(import.meta.dirname, place)).find(existsSync);
const load = createRequire(import.meta.url);

/**
 * The parser, loaded when it is first asked for: it takes longer to load than all of the front matters
 * take to parse, and most starts of the app read none. Lists of skills are not awaited, so it is required.
 */
export function loadYaml(): YamlParser {
  if (FOUND === undefined) throw new Error('The app is not complete: yaml-parser.js is missing.');
  return load(FOUND) as YamlParser;
}
