import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { gunzipSync } from 'node:zlib';
import { withMemoryLimit } from '../pictures/wasm-limit.ts';
import type { Bitmap } from './pdf-pages.ts';
import type { RecognisedText } from './types.ts';

/** The part of Tesseract that is used. */
interface Tesseract {
  readonly FS: { writeFile(path: string, data: Uint8Array): void };
  readonly TessBaseAPI: new () => {
    Init(folder: string, languages: string, engine: number): number;
    SetPageSegMode(mode: number): void;
    SetImageFile(orientation: number, angle: number): number;
    Recognize(monitor: null): number;
    MeanTextConf(): number;
    GetUTF8Text(): string;
    /** A line for each part of the page; words are on level 5, with their confidence. */
    GetTSVText(page: number): string;
    Clear(): void;
  };
}

export type Recognise = (bitmap: Bitmap & { readonly channels: 1 }) => RecognisedText;

/** Languages that come with the app, the first one first: together they read either as well as alone. */
const LANGUAGES = ['eng', 'chi_sim'];
const CORE = 'tesseract.js-core/tesseract-core-simd-lstm';
/** Neural networks, the only engine that this build of Tesseract has. */
const LSTM = 1;
const AUTOMATIC_LAYOUT = 3;
const INPUT = '/input';
/** Words below this confidence are named, up to so many. */
const UNCERTAIN = 60;
const MOST_UNCERTAIN = 12;
const HAN = '[\\p{Script=Han}，。、；：？！“”‘’（）《》]';
const SPACE_BETWEEN_HAN = new RegExp(`(?<=${HAN}) +(?=${HAN})`, 'gu');

/** Tesseract as WebAssembly with at most this much memory. For use in a process of its own. */
export async function loadRecogniser(memoryBytes: number): Promise<Recognise> {
  const load = createRequire(import.meta.url);
  const wasmBinary = withMemoryLimit(readFileSync(load.resolve(`${CORE}.wasm`)), memoryBytes);
  const start = load(CORE) as (options: object) => Promise<Tesseract>;
  const { FS, TessBaseAPI } = await start({ wasmBinary, print: ignore, printErr: ignore });
  for (const language of LANGUAGES) {
    const file = `@tesseract.js-data/${language}/4.0.0_best_int/${language}.traineddata.gz`;
    FS.writeFile(`/${language}.traineddata`, gunzipSync(readFileSync(load.resolve(file))));
  }
  const api = new TessBaseAPI();
  if (api.Init('/', LANGUAGES.join('+'), LSTM) !== 0) {
    throw new Error('The data of the languages cannot be loaded.');
  }
  api.SetPageSegMode(AUTOMATIC_LAYOUT);
  return ({ width, height, data }) => {
    FS.writeFile(INPUT, Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), data]));
    if (api.SetImageFile(1, 0) !== 0) throw new Error('The page cannot be taken over.');
    try {
      if (api.Recognize(null) !== 0) throw new Error('The page cannot be recognised.');
      const text = withoutSpaces(api.GetUTF8Text());
      if (text === '') return { text, confidence: 0, uncertain: [] };
      return { text, confidence: api.MeanTextConf(), uncertain: uncertainWords(api.GetTSVText(0)) };
    } finally {
      api.Clear();
    }
  };
}

function withoutSpaces(text: string): string {
  return text.replaceAll(SPACE_BETWEEN_HAN, '').trim();
}

function uncertainWords(table: string): string[] {
  const words = table.split('\n').flatMap((line) => {
    const [level, , , , , , , , , , confidence, word = ''] = line.split('\t');
    const isUncertain =
      level === '5' && Number(confidence) < UNCERTAIN && /[\p{L}\p{N}]/u.test(word);
    return isUncertain ? [word] : [];
  });
  return [...new Set(words)].slice(0, MOST_UNCERTAIN);
}

/** Tesseract speaks of every page. */
function ignore(): void {
  // Nothing of it is for users.
}
