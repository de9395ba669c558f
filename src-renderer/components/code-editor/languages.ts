import type { Extension } from '@codemirror/state';

type Loader = () => Promise<Extension>;

const html: Loader = async () => (await import('@codemirror/lang-html')).html();
const css: Loader = async () => (await import('@codemirror/lang-css')).css();
const json: Loader = async () => (await import('@codemirror/lang-json')).json();
const python: Loader = async () => (await import('@codemirror/lang-python')).python();
const markdown: Loader = async () => (await import('@codemirror/lang-markdown')).markdown();
const yaml: Loader = async () => (await import('@codemirror/lang-yaml')).yaml();
const script =
  (typescript: boolean, jsx: boolean): Loader =>
  async () =>
    (await import('@codemirror/lang-javascript')).javascript({ typescript, jsx });

/** By the ending of a file's name. */
const LANGUAGES: ReadonlyMap<string, Loader> = new Map([
  ...['html', 'htm', 'svg', 'xml', 'vue'].map((ending) => [ending, html] as const),
  ...['js', 'mjs', 'cjs', 'jsx'].map((ending) => [ending, script(false, true)] as const),
  ...['ts', 'mts', 'cts'].map((ending) => [ending, script(true, false)] as const),
  ['tsx', script(true, true)],
  ['css', css],
  ['json', json],
  ['py', python],
  ['md', markdown],
  ...['yaml', 'yml'].map((ending) => [ending, yaml] as const),
]);

/** How an editor reads files with this ending, loaded when it is first needed; nothing where none fits. */
export async function loadLanguage(extension: string): Promise<Extension> {
  return (await LANGUAGES.get(extension)?.()) ?? [];
}
