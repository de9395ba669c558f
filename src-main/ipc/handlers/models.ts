import type { AppServices, Broadcast, RequestHandlers } from '../types.ts';

/** Progress of checks and pulls goes to every window, because it concerns the machine. */
export function modelHandlers(
  { models }: AppServices,
  broadcast: Broadcast,
): Pick<
  RequestHandlers,
  | 'models.list'
  | 'models.profile'
  | 'models.check'
  | 'models.cancelCheck'
  | 'models.recommend'
  | 'models.pull'
  | 'models.cancelPull'
  | 'models.pulls'
> {
  return {
    'models.list': async (_input, client) => ({
      servers: await models.listServers(client.closed),
    }),
    'models.profile': async ({ model }, client) => ({
      profile: await models.profile(model, client.closed),
    }),
    'models.check': async ({ model }) => ({
      profile: await models.check(model, {
        onItem: (progress) => broadcast({ kind: 'model_check', model, ...progress }),
      }),
    }),
    'models.cancelCheck': () => {
      models.cancelCheck();
      return {};
    },
    'models.recommend': async (_input, client) => ({
      recommendations: await models.recommend(client.closed),
    }),
    'models.pull': async ({ model }) => ({
      pull: await models.pull(model, (pull) => broadcast({ kind: 'model_pull', pull })),
    }),
    'models.cancelPull': ({ model }) => {
      models.cancelPull(model);
      return {};
    },
    'models.pulls': () => ({ pulls: models.pulls() }),
  };
}
