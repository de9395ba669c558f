import type { ModelRef, ModelServer } from '#contract/entities.ts';

/** Models of clouds that see pictures, as their makers publish; their lists do not all say it. */
const SEEING: Readonly<Record<string, RegExp>> = {
  openai: /^(?:gpt-(?:4o|4\.1|4-turbo|[5-9])|o[134](?!-mini)|o4-mini)/,
  anthropic: /^claude-(?!2|instant)/,
  gemini: /^(?:models\/)?gemini-/,
};

/** Whether a cloud's model is known to see; null where nothing is known. */
export function knownVision({ provider, name }: ModelRef): boolean | null {
  return SEEING[provider]?.test(name) === true ? true : null;
}

/**
 * A model that is known to see, in place of `model`: of the same server, else of another one on this computer. A cloud
 * only for a task that runs on one.
 */
export function findSeeing(servers: readonly ModelServer[], model: ModelRef): ModelRef | null {
  const isCloud = servers.some(({ provider, kind, models }) =>
    kind === 'cloud'
      ? provider === model.provider
      : provider === model.provider && models.some((one) => one.name === model.name && one.cloud),
  );
  const allowed = servers
    .filter(({ kind, reachable }) => reachable && kind !== 'demo' && (isCloud || kind !== 'cloud'))
    .toSorted(
      (a, b) => Number(b.provider === model.provider) - Number(a.provider === model.provider),
    )
    .flatMap(({ models }) => models)
    .filter((one) => one.vision === true && (isCloud || !one.cloud));
  const found = allowed.find((one) => one.name !== model.name || one.provider !== model.provider);
  return found === undefined ? null : { provider: found.provider, name: found.name };
}
