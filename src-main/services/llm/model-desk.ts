import type { ModelRef } from '#contract/entities.ts';
import { AppError } from '#contract/errors.ts';
import { type ModelProfile, unknownProfile } from '#contract/models.ts';
import type { Clock } from '../../base/clock.ts';
import type { ProfileStore } from '../../storage/types.ts';
import type { ModelDesk, ModelService } from './types.ts';

export interface ModelDeskParts {
  readonly models: ModelService;
  readonly profiles: ProfileStore;
  readonly clock: Clock;
}

/** See `ModelDesk`. */
export function createModelDesk({ models, profiles, clock }: ModelDeskParts): ModelDesk {
  const profile = async (model: ModelRef, signal: AbortSignal): Promise<ModelProfile> => {
    const known = profiles.get(model);
    if (known !== null) return known;
    await using opened = await models.open(model, { signal });
    const { trainedContext, tools, thinking, vision, cloud } = opened.profile;
    const fresh: ModelProfile = {
      ...unknownProfile(model, clock.now()),
      ...{ cloud, trainedContext, tools, thinking, vision },
    };
    profiles.put(fresh);
    return fresh;
  };
  return {
    listServers: models.listServers,
    profile,
    check: () => Promise.reject(notHere()),
    cancelCheck: () => undefined,
    recommend: () => Promise.reject(notHere()),
    pull: () => Promise.reject(notHere()),
    cancelPull: () => undefined,
    pulls: () => [],
  };
}

function notHere(): AppError {
  return new AppError('BAD_REQUEST', 'This build cannot do that yet.');
}
