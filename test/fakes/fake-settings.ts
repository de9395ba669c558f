import type { AttachedPicture } from '#contract/attachments.ts';
import { CLOUD_IDS, CLOUD_SERVICES } from '#contract/clouds.ts';
import type { ModelRef, ModelServer } from '#contract/entities.ts';
import { startedPull } from '#contract/models.ts';
import type { PushMessage, RequestInput } from '#contract/requests.ts';
import type { FakeState } from './fake-bridge.ts';
import { FAKE_RECOMMENDATIONS, fakeProfile } from './fake-profile.ts';
import { Refusal } from './refusal.ts';

/** Each cloud that has a key, with the models of its tiers. */
function cloudsWithKeys(names: readonly string[]): ModelServer[] {
  return CLOUD_IDS.filter((id) => names.includes(id)).map((id) => ({
    ...{ provider: id, label: CLOUD_SERVICES[id].label, kind: 'cloud', baseUrl: 'https://cloud' },
    ...{ reachable: true, problem: null },
    models: Object.values(CLOUD_SERVICES[id].tiers).map((name) => ({
      ...{ provider: id, name, contextWindow: 1_000_000, tools: true, vision: null },
      ...{ thinking: null, cloud: true, size: null },
    })),
  }));
}

/** Models, settings, keys and rules of a `FakeBridge`, over its lists. */
export function fakeSettings({
  state,
  push,
}: {
  readonly state: () => FakeState;
  readonly push: (message: PushMessage) => void;
}) {
  return {
    'models.list': () => ({ servers: [...state().servers, ...cloudsWithKeys(state().secrets)] }),
    'models.profile': ({ model }: RequestInput<'models.profile'>) => ({
      profile: fakeProfile(model),
    }),
    'models.sight': ({ model: asked }: RequestInput<'models.sight'>) => {
      const { settings, servers } = state();
      const model = asked ?? settings.model ?? { provider: 'ollama', name: 'qwen3:8b' };
      const listed = servers.flatMap(({ models }) => models);
      const isModel = (one: ModelRef): boolean =>
        one.provider === model.provider && one.name === model.name;
      const vision = listed.find(isModel)?.vision ?? null;
      const seeing = listed.find((one) => one.vision === true);
      const other = vision === true || seeing === undefined ? null : seeing;
      return {
        ...{ model, vision },
        other: other === null ? null : { provider: other.provider, name: other.name },
      };
    },
    'models.check': ({ model }: RequestInput<'models.check'>) => {
      const profile = fakeProfile(model);
      for (const [index, item] of (profile.reportCard?.items ?? []).entries()) {
        push({ kind: 'model_check', model, item, index, of: 3 });
      }
      return { profile };
    },
    'models.cancelCheck': () => ({}),
    'models.recommend': () => ({ recommendations: FAKE_RECOMMENDATIONS }),
    'models.pull': ({ model }: RequestInput<'models.pull'>) => ({ pull: startedPull(model) }),
    'models.cancelPull': () => ({}),
    'models.pulls': () => ({ pulls: [] }),
    'settings.get': () => ({ settings: state().settings }),
    'settings.update': ({ changes }: RequestInput<'settings.update'>) => {
      const { contextWindow } = changes;
      if (
        typeof contextWindow === 'string' ||
        (typeof contextWindow === 'number' && contextWindow < 2048)
      ) {
        throw new Refusal('BAD_REQUEST', 'contextWindow: a whole number of 2048 or more');
      }
      state().settings = { ...state().settings, ...changes };
      return { settings: state().settings };
    },
    'secrets.set': ({ name }: RequestInput<'secrets.set'>) => {
      state().secrets.push(name);
      return {};
    },
    'secrets.delete': ({ name }: RequestInput<'secrets.delete'>) => {
      state().secrets = state().secrets.filter((other) => other !== name);
      return {};
    },
    'secrets.list': () => ({ names: state().secrets, storage: state().keyStorage }),
    'rules.list': () => ({ rules: state().rules }),
    'rules.delete': ({ ruleId }: RequestInput<'rules.delete'>) => {
      state().rules = state().rules.filter(({ id }) => id !== ruleId);
      return {};
    },
  };
}

/** What main says of an attached file: a picture by its name, broken if its name says so. */
export function fakePicture(name: string, data: string): AttachedPicture | null {
  if (!/\.(?:png|jpe?g|heic|tiff)$/.test(name)) return null;
  if (name.startsWith('broken')) {
    return { problem: 'It has 100 megapixels; at most 64 can be read. Make it smaller.' };
  }
  const preview = `data:image/png;base64,${data}`;
  return { width: 1_600, height: 1_000, preview };
}
