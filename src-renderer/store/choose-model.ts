import type { ModelRef } from '#contract/entities.ts';
import { loadedValue } from './selectors.ts';
import type { Session } from './session.ts';

/** Chooses the model of a draft, and of new tasks; the demonstration never becomes the one of new tasks. */
export function chooseModel(
  { store, drafts, settings }: Pick<Session, 'store' | 'drafts' | 'settings'>,
  draftKey: string,
  model: ModelRef,
): void {
  drafts.change(draftKey, { model });
  const servers = loadedValue(store.get().servers) ?? [];
  const isScript = servers.some(
    ({ provider, kind }) => provider === model.provider && kind === 'demo',
  );
  if (!isScript) void settings.update({ model });
}
