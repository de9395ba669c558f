import type { AppServices, RequestHandlers } from '../types.ts';

export function settingsHandlers({
  settings,
  secrets,
  rules,
}: AppServices): Pick<
  RequestHandlers,
  | 'settings.get'
  | 'settings.update'
  | 'secrets.set'
  | 'secrets.delete'
  | 'secrets.list'
  | 'rules.list'
  | 'rules.put'
  | 'rules.try'
  | 'rules.delete'
> {
  return {
    'settings.get': () => ({ settings: settings.get() }),
    'settings.update': ({ changes }) => ({ settings: settings.update(changes) }),
    'secrets.set': ({ name, value }) => {
      secrets.set(name, value);
      return {};
    },
    'secrets.delete': ({ name }) => {
      secrets.delete(name);
      return {};
    },
    'secrets.list': () => ({ names: secrets.names(), storage: secrets.storage }),
    'rules.list': () => ({ rules: rules.list() }),
    'rules.put': ({ ruleId, rule }) => ({ rule: rules.put(rule, ruleId) }),
    'rules.try': ({ rule }) => rules.try(rule),
    'rules.delete': ({ ruleId }) => {
      rules.delete(ruleId);
      return {};
    },
  };
}
