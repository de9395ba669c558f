import { globSync } from 'node:fs';
import { nameOf, type Target } from './targets.ts';

/**
 * The files of `node_modules` that run in a package: everything else of them is in the bundle (`electron.vite.config.ts`).
 * Patterns are of `fs.glob`, below the folder of the package; each must match, so that a library that renames its files
 * fails the package and not the user.
 */
const EVERYWHERE: Readonly<Record<string, readonly string[]>> = {
  'better-sqlite3': ['package.json', 'LICENSE', 'lib/**/*.js'],
  'playwright-core': [
    ...['package.json', 'LICENSE', 'NOTICE', 'ThirdPartyNotices.txt'],
    ...['index.js', 'index.mjs', 'browsers.json'],
    ...['lib/{bootstrap,coreBundle,package,serverRegistry,utilsBundle}.js', 'lib/*.LICENSE'],
  ],
  '@imagemagick/magick-wasm': [
    ...['package.json', 'LICENSE', 'NOTICE', 'dist/index.js', 'dist/x86/magick.wasm'],
  ],
  '@resvg/resvg-wasm': ['package.json', 'index.mjs', 'index_bg.wasm'],
  '@hyzyla/pdfium': ['package.json', 'LICENSE.md', 'dist/{index.esm,vendor/*}.js', 'dist/*.wasm'],
  'tesseract.js-core': ['package.json', 'LICENSE', 'tesseract-core-simd-lstm.{js,wasm}'],
  '@tesseract.js-data/eng': ['package.json', '4.0.0_best_int/*.gz'],
  '@tesseract.js-data/chi_sim': ['package.json', '4.0.0_best_int/*.gz'],
  '@e965/xlsx': ['package.json', 'LICENSE', 'dist/xlsx.full.min.js'],
  pdfkit: ['package.json', 'LICENSE', 'js/standard-fonts/**/*.cjs'],
  'axe-core': ['package.json', 'LICENSE', 'axe.min.js'],
  '@fontsource/*': [
    ...['package.json', 'LICENSE', 'unicode.json', 'files/*-{400,700}-normal.woff'],
  ],
};

/** The launcher of the Landlock sandbox calls the kernel of Linux. */
const LINUX: Readonly<Record<string, readonly string[]>> = {
  koffi: ['package.json', 'LICENSE.txt', 'index.js', 'src/koffi/{index,src/static}.js'],
};

/** Paths below `modules`, a folder `node_modules`, with `/`, sorted. Throws where a pattern matches nothing. */
export function moduleFiles(modules: string, target: Target): string[] {
  const wanted = Object.entries({
    ...EVERYWHERE,
    ...(target.platform === 'linux' ? LINUX : {}),
  }).flatMap(([name, patterns]) => patterns.map((pattern) => `${name}/${pattern}`));
  const found = [...wanted, ...nativeFiles(target)].flatMap((pattern) => {
    const files = globSync(pattern, { cwd: modules });
    if (files.length > 0) return files;
    throw new Error(
      `No file matches node_modules/${pattern}. Run \`npm ci\`; if a library has moved its files, change scripts/package/module-files.ts.`,
    );
  });
  return [...new Set(found.map((file) => file.replaceAll('\\', '/')))].sort();
}

function nativeFiles(target: Target): string[] {
  const sqlite = `better-sqlite3/prebuilds/${nameOf(target)}.node`;
  if (target.platform !== 'linux') return [sqlite];
  const koffi = `@koromix/koffi-linux-${target.arch}`;
  return [
    ...[sqlite, `${koffi}/package.json`, `${koffi}/index.js`],
    `${koffi}/linux_${target.arch}/*.node`,
  ];
}
