import { InvalidArgumentError } from 'commander';
import type { ModelRef } from '#contract/entities.ts';
import { Sha256 } from '#contract/local-models.ts';
import { safeParse } from '#contract/safe-parse.ts';
import { SEARCH_RESULTS_LIMIT } from '#contract/search.ts';
import {
  GivenMode,
  MODE_ALIASES,
  ModelTier,
  RunMode,
  TIER_PROVIDER,
} from '#contract/vocabulary.ts';

/**
 * Parses `PROVIDER:NAME`; the name may contain colons. `demo` alone is the demo model, and a tier alone
 * is the model that the settings assign to it.
 */
export function parseModel(text: string): ModelRef {
  if (text === 'demo') return { provider: 'demo', name: 'scripted' };
  const tier = safeParse(ModelTier, text === 'lite' ? 'flash' : text);
  if (tier.success) return { provider: TIER_PROVIDER, name: tier.data };
  const colon = text.indexOf(':');
  const provider = text.slice(0, Math.max(colon, 0));
  const name = text.slice(colon + 1);
  if (provider === '' || name === '') {
    throw new InvalidArgumentError(
      'Use PROVIDER:NAME, such as ollama:qwen3:8b, a tier (max, pro, flash), or demo.',
    );
  }
  return { provider, name };
}

/** A kind of task, by today's name or an earlier one. */
export function parseMode(text: string): RunMode {
  const { success, data } = safeParse(GivenMode, text);
  if (success) return data;
  const names = [...RunMode.options, ...Object.keys(MODE_ALIASES)];
  throw new InvalidArgumentError(`Allowed choices are ${names.join(', ')}.`);
}

export function parseSha256(text: string): string {
  const { success, data } = safeParse(Sha256, text.trim().toLowerCase());
  if (!success) throw new InvalidArgumentError('A SHA-256 hash has 64 digits from 0 to f.');
  return data;
}

export function parseHttpUrl(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new InvalidArgumentError('It must be an http or https address.');
  }
  return text;
}

/** Positive seconds; fractions are allowed. */
export function parseSeconds(text: string): number {
  const seconds = text.trim() === '' ? Number.NaN : Number(text);
  if (!Number.isFinite(seconds) || seconds <= 0) {
    throw new InvalidArgumentError('It must be a number of seconds above 0.');
  }
  return seconds;
}

export function parseWholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text))
    throw new InvalidArgumentError('It must be a whole number, 0 or more.');
  return Number(text);
}

/** Within the limit of results per search. */
export function parseResultCount(text: string): number {
  const count = parseWholeNumber(text);
  if (count < 1 || count > SEARCH_RESULTS_LIMIT) {
    throw new InvalidArgumentError(`It must be between 1 and ${SEARCH_RESULTS_LIMIT}.`);
  }
  return count;
}

export function parsePort(text: string): number {
  const port = parseWholeNumber(text);
  if (port > 65_535) throw new InvalidArgumentError('It must be at most 65535.');
  return port;
}

/** For an option that may be repeated. */
export function collect(value: string, previous: readonly string[] = []): readonly string[] {
  return [...previous, value];
}
