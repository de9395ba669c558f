import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { AppTemplate } from '#contract/apps.ts';

export interface TemplateFile {
  /** In the folder of the app. */
  readonly path: string;
  readonly content: string;
}

/** Where the first change of each template is made; the last one is that of its page. */
export const MAIN_FILES: Readonly<Record<AppTemplate, readonly [string, ...string[]]>> = {
  static: ['src/main.js'],
  react: ['src/App.tsx'],
  vue: ['src/App.vue'],
  express: ['server.js', 'public/app.js'],
};

/** The files of a template with the name of the app in them. */
export async function templateFiles(
  root: string,
  template: AppTemplate,
  title: string,
): Promise<TemplateFile[]> {
  const dir = path.join(root, 'resources', 'templates', template);
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const read = files.map(async (entry) => {
    const file = path.join(entry.parentPath, entry.name);
    const at = path.relative(dir, file).split(path.sep).join('/');
    const content = await readFile(file, 'utf8');
    // Packers leave out files with this name.
    return { path: at === 'gitignore' ? '.gitignore' : at, content: named(content, at, title) };
  });
  return (await Promise.all(read)).sort((a, b) => (a.path < b.path ? -1 : 1));
}

function named(content: string, file: string, title: string): string {
  if (file === 'package.json') {
    const name = JSON.stringify(packageName(title));
    return content.replace('"name": "app"', () => `"name": ${name}`);
  }
  if (!file.endsWith('index.html')) return content;
  return content.replace('<title>App</title>', () => `<title>${escaped(title)}</title>`);
}

/** A name that npm accepts. */
export function packageName(title: string): string {
  const name = title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60);
  return name === '' ? 'app' : name;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
