/** What a link or an image in a model's text refers to. Nothing is fetched or opened without a click. */
export type Target =
  | { readonly kind: 'web'; readonly url: string }
  | { readonly kind: 'mail'; readonly url: string }
  | { readonly kind: 'workspace'; readonly path: string }
  | { readonly kind: 'inline-image'; readonly url: string }
  | { readonly kind: 'refused'; readonly text: string };

const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
const INLINE_IMAGE = /^data:image\/(?:png|jpeg|gif|webp);base64,[a-z0-9+/=]+$/i;

/** Sorts an address. What is not plainly one of the known kinds is refused. */
export function classifyTarget(raw: string): Target {
  // Browsers drop these inside of addresses, so that "java\nscript:" would be one.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  const text = raw.replace(/[\u0000-\u001f\u007f]/g, '').trim();
  if (INLINE_IMAGE.test(text)) return { kind: 'inline-image', url: text };
  const workspacePath = /^(?:sandbox:|file:\/\/)?\/workspace\/(.+)$/i.exec(text)?.[1];
  if (workspacePath !== undefined) return fileTarget(workspacePath, raw);
  if (!SCHEME.test(text)) {
    // Two slashes begin the name of a host, whichever way they lean.
    if (text === '' || /^[\\/]/.test(text) || text.startsWith('#')) {
      return { kind: 'refused', text: raw };
    }
    return fileTarget(text, raw);
  }
  return webTarget(text, raw);
}

function webTarget(text: string, raw: string): Target {
  const url = URL.canParse(text) ? new URL(text) : null;
  switch (url?.protocol) {
    case 'http:':
    case 'https:':
      return { kind: 'web', url: url.href };
    case 'mailto:':
      return { kind: 'mail', url: url.href };
    default:
      return { kind: 'refused', text: raw };
  }
}

function fileTarget(text: string, raw: string): Target {
  const path = decode(text.replace(/^\.\//, '').replace(/[?#].*$/, ''));
  // Backslashes lead to other machines where paths are written with them.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: no name of a file has them
  const isOdd = path === '' || /^\/|[\\\u0000-\u001f]/.test(path);
  return isOdd || path.split('/').includes('..')
    ? { kind: 'refused', text: raw }
    : { kind: 'workspace', path };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A lone percent sign: the name is meant literally.
    return text;
  }
}
