import { basename } from 'node:path';
import type { ModelRef, ModelServer } from '#contract/entities.ts';
import type { LocalModels } from '#contract/local-models.ts';

/** A way to a model. */
export type Choice = { readonly label: string } & (
  | { readonly kind: 'model'; readonly model: ModelRef }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'start'; readonly id: 'ollama' }
  | { readonly kind: 'download'; readonly id: string }
);

interface Known {
  readonly servers: readonly ModelServer[];
  readonly local: LocalModels;
  /** The chosen one, which comes first. */
  readonly model: ModelRef | null;
}

/**
 * What there is to choose from, best first: what answers now on this computer, files, a server to start, downloads,
 * and models in a cloud last. Of downloads, the middle one comes first: the largest that fits is slow.
 */
export function modelChoices({ servers, local, model }: Known): Choice[] {
  const isChosen = (one: ModelRef): boolean =>
    one.provider === model?.provider && one.name === model.name;
  const answering = servers.filter(({ kind, reachable }) => kind !== 'demo' && reachable);
  const models = answering.flatMap((server) =>
    server.models.map((one) => ({
      label: `${one.name} (${server.label}${one.cloud || server.kind === 'cloud' ? ', in a cloud' : ''})`,
      kind: 'model' as const,
      model: { provider: one.provider, name: one.name },
      isCloud: one.cloud || server.kind === 'cloud',
    })),
  );
  const listed = new Set(models.map(({ model: { provider, name } }) => `${provider}:${name}`));
  const files = local.found
    .filter(({ name }) => !listed.has(`embedded:${name}`) && !listed.has(`ollama:${name}`))
    .map(({ path, name, store, bytes }) => ({
      label: `${name} (a file of ${store}, ${gigabytes(bytes)})`,
      ...{ kind: 'file' as const, path },
    }));
  const silent = local.startable.filter(
    ({ id }) => !answering.some(({ provider }) => provider === id),
  );
  const starts = silent.map(({ id, label }) => ({
    ...{ label: `Start ${label}, which is installed`, kind: 'start' as const, id },
  }));
  const middle = local.offers[Math.floor((local.offers.length - 1) / 2)];
  const offers = [
    ...(middle === undefined ? [] : [middle]),
    ...local.offers.filter((offer) => offer !== middle),
  ].map(({ id, label, bytes, licence }) => ({
    label: `Download ${label} (${gigabytes(bytes)}, ${licence})`,
    ...{ kind: 'download' as const, id },
  }));
  const near = models.filter(({ isCloud }) => !isCloud);
  const far = models.filter(({ isCloud }) => isCloud);
  const first = models.filter((one) => isChosen(one.model));
  const asChoice = ({ label, kind, model: ref }: (typeof models)[number]): Choice => ({
    ...{ label, kind, model: ref },
  });
  return [
    ...first.map(asChoice),
    ...near.filter((one) => !first.includes(one)).map(asChoice),
    ...files,
    ...starts,
    ...offers,
    ...far.filter((one) => !first.includes(one)).map(asChoice),
  ];
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(1)} GB`;
}

/** The model file of this name in the app's own folder. */
export function pathOfOwn(found: LocalModels['found'], file: string): string | undefined {
  return found.find(({ path, store }) => store === 'HyperAgent' && basename(path) === file)?.path;
}
