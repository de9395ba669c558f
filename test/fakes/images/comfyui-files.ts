import type { GraphNode } from './comfyui-nodes.ts';
import { type Call, type MultipartBody, sendJson } from './fake-image-server.ts';

/** Where a picture lies. */
export interface Saved {
  readonly filename: string;
  readonly subfolder: string;
  readonly type: string;
}

const FOLDERS = ['input', 'output', 'temp'];

/** The folders `input`, `output` and `temp` of ComfyUI, in memory. */
export class ComfyuiFiles {
  readonly #files = new Map<string, Buffer>();

  /** `/upload/image` and `/upload/mask`. */
  upload(call: Call, isMask: boolean): void {
    const { fields, files } = call.body as MultipartBody;
    const image = files.find(({ field }) => field === 'image');
    const type = fields.type ?? 'input';
    const subfolder = fields.subfolder ?? '';
    if (
      !image ||
      image.filename === '' ||
      !FOLDERS.includes(type) ||
      isOutside(subfolder, image.filename)
    ) {
      call.response.writeHead(400).end();
      return;
    }
    const [, stem = '', ending = ''] = /^(.*?)(\.[^.]*)?$/.exec(image.filename) ?? [];
    const mayReplace = fields.overwrite === 'true' || fields.overwrite === '1';
    let name = image.filename;
    for (
      let copy = 1;
      !mayReplace && !this.#isFree(keyOf(type, subfolder, name), image.bytes);
      copy += 1
    ) {
      name = `${stem} (${copy})${ending}`;
    }
    // Of a mask, the real server keeps the original with the alpha of the mask.
    const isKept = !isMask || this.#original(fields.original_ref ?? '{}') !== null;
    if (isKept) this.#files.set(keyOf(type, subfolder, name), image.bytes);
    sendJson(call, 200, { name, subfolder, type });
  }

  view(call: Call): void {
    const { filename, subfolder = '' } = call.query;
    const { response } = call;
    if (filename === undefined) response.writeHead(404).end();
    else if (filename === '' || filename.startsWith('/') || filename.includes('..'))
      response.writeHead(400).end();
    else if (isOutside(subfolder, filename)) response.writeHead(403).end();
    else {
      const { type, name } = annotated(filename, call.query.type ?? 'output');
      const bytes = this.#files.get(keyOf(type, subfolder, name));
      if (!FOLDERS.includes(type)) response.writeHead(400).end();
      else if (!bytes) response.writeHead(404).end();
      else {
        const headers = {
          'content-type': 'image/png',
          'content-disposition': `filename="${name}"`,
        };
        response.writeHead(200, headers).end(bytes);
      }
    }
  }

  /** What LoadImage reads: `name`, `folder/name`, or either with ` [output]` behind it. */
  inputBytes(written: string): Buffer | null {
    const { type, name } = annotated(written, 'input');
    const [, subfolder = '', file = ''] = /^(?:(.*)\/)?([^/]*)$/.exec(name) ?? [];
    return this.#files.get(keyOf(type, subfolder, file)) ?? null;
  }

  /** The choices of LoadImage: only what lies in `input` itself. */
  inputNames(): readonly string[] {
    return [...this.#files.keys()].flatMap((key) =>
      key.startsWith('input//') ? [key.slice(7)] : [],
    );
  }

  save({ class_type, inputs }: GraphNode, pictures: readonly Buffer[]): readonly Saved[] {
    const isTemp = class_type === 'PreviewImage';
    const type = isTemp ? 'temp' : 'output';
    const prefix = isTemp ? 'ComfyUI_temp_fakes' : String(inputs.filename_prefix);
    const [, subfolder = '', stem = ''] = /^(?:(.*)\/)?([^/]*)$/.exec(prefix) ?? [];
    const start = keyOf(type, subfolder, `${stem}_`);
    let counter = [...this.#files.keys()].filter((key) => key.startsWith(start)).length;
    return pictures.map((picture) => {
      counter += 1;
      const filename = `${stem}_${String(counter).padStart(5, '0')}_.png`;
      this.#files.set(keyOf(type, subfolder, filename), picture);
      return { filename, subfolder, type };
    });
  }

  #isFree(key: string, bytes: Buffer): boolean {
    const there = this.#files.get(key);
    return there === undefined || there.equals(bytes);
  }

  #original(written: string): Buffer | null {
    const {
      filename = '',
      subfolder = '',
      type = 'output',
    } = JSON.parse(written) as Partial<Saved>;
    return this.#files.get(keyOf(type, subfolder, filename)) ?? null;
  }
}

function annotated(
  written: string,
  otherwise: string,
): { readonly type: string; readonly name: string } {
  const [, name, type] = /^(.*?) ?\[(input|output|temp)\]$/.exec(written) ?? [];
  return name === undefined
    ? { type: otherwise, name: written }
    : { type: type ?? otherwise, name };
}

function keyOf(type: string, subfolder: string, name: string): string {
  return `${type}/${subfolder}/${name}`;
}

function isOutside(...paths: readonly string[]): boolean {
  return paths.some((path) => path.startsWith('/') || path.split('/').includes('..'));
}
