import { AppError } from '#contract/errors.ts';
import type { PinnedModel } from '#contract/local-models.ts';
import { parseWebUrl } from '../../egress/fetch.ts';
import { isLoopback } from '../transport/create-agent.ts';

/** A model file to download. Null is what is not known. */
export interface WantedFile {
  readonly url: string;
  readonly file: string;
  readonly sha256: string | null;
  readonly bytes: number | null;
  readonly licence: string | null;
  /** Whether the user typed the address, and so named its host even if it is on a private network. */
  readonly byUser: boolean;
}

export function wantedPinned({ url, file, sha256, bytes, licence }: PinnedModel): WantedFile {
  return { url, file, sha256, bytes, licence, byUser: false };
}

/** Of Hugging Face: `owner/repository/path/file.gguf`, after `hf:` or `hf.co/`, with or without `@revision`. */
const HUGGING_FACE =
  /^(?:hf:|(?:https?:\/\/)?(?:hf\.co|huggingface\.co)\/)?(\w[\w.-]{0,95})\/(\w[\w.-]{0,95})(?:@(\w[\w.-]{0,95}))?\/(?:(?:blob|resolve)\/(\w[\w.-]{0,95})\/)?((?:\w[\w.-]{0,150}\/){0,8}\w[\w.-]{0,150}\.gguf)(?:\?download=true)?$/i;
const LONGEST_FILE_NAME = 150;

/**
 * The file that a reference or an address names. Throws `BAD_REQUEST` with the forms that are understood. An
 * unencrypted address needs a hash, because anyone on the way could swap the file.
 */
export function parseModelReference(reference: string, sha256: string | null): WantedFile {
  const text = reference.trim();
  const url = addressOf(text);
  const file = fileNameOf(url);
  if (/-\d{5}-of-\d{5}\.gguf$/i.test(file)) {
    throw new AppError(
      'BAD_REQUEST',
      `${file} is one part of a model in several files, which the app cannot download. Choose a model in one file.`,
    );
  }
  if (url.protocol === 'http:' && sha256 === null && !isLoopback(url)) {
    throw new AppError(
      'BAD_REQUEST',
      'The address is not encrypted (http). Use https, or enter the SHA-256 hash of the file too.',
    );
  }
  return { url: url.href, file, sha256, bytes: null, licence: null, byUser: true };
}

function addressOf(text: string): URL {
  const [, owner, repository, revision, linked, path] = HUGGING_FACE.exec(text) ?? [];
  if (owner !== undefined) {
    const at = linked ?? revision ?? 'main';
    return new URL(`https://huggingface.co/${owner}/${repository}/resolve/${at}/${path}`);
  }
  if (!/^https?:\/\//i.test(text)) throw notUnderstood(text);
  const url = parseWebUrl(text);
  if (!/\.gguf$/i.test(url.pathname)) throw notUnderstood(text);
  return url;
}

function notUnderstood(text: string): AppError {
  return new AppError(
    'BAD_REQUEST',
    `"${text.slice(0, 200)}" is not a model file. Enter an address that ends in .gguf, or a file on Hugging Face as owner/repository/file.gguf.`,
  );
}

/** The last part of the path as the name of a file, whatever it holds. */
function fileNameOf({ pathname }: URL): string {
  const last = pathname.split('/').at(-1) ?? '';
  const stem = last
    .replace(/\.gguf$/i, '')
    .replace(/%[0-9a-f]{2}/gi, '-')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, LONGEST_FILE_NAME);
  return `${stem === '' ? 'model' : stem}.gguf`;
}
