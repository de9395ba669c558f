import { isDeepStrictEqual } from 'node:util';
import { AppError } from '#contract/errors.ts';
import { safeParse } from '#contract/safe-parse.ts';
import { Settings } from '#contract/settings.ts';
import type { Logger } from '../base/logger.ts';
import type { Connection } from './connection.ts';
import type { ManagedSettings, SettingsStore } from './types.ts';

type SettingName = keyof typeof Settings.shape;

/**
 * One row per setting. A stored value that is no longer valid counts as not set and is logged: it must not
 * keep the app from starting. What is stored of a locked setting stays, and holds again without the policy.
 */
export function openSettings(
  connection: Connection,
  logger: Logger,
  managed: ManagedSettings | null = null,
): SettingsStore {
  const all = connection.sql<{ name: string; value: string }>('SELECT name, value FROM settings');
  const put = connection.sql(
    'INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
    { exact: true },
  );
  const load = (): Settings => {
    const known: Record<string, unknown> = {};
    for (const { name, value } of all.all()) {
      const valid = isSettingName(name) ? validValue(name, value) : undefined;
      if (valid === undefined) logger.warn('A stored setting was ignored', { name });
      else known[name] = valid;
    }
    const locked = { ...managed?.locked };
    // Who may be online may always go offline.
    if (known.egress === 'offline') delete locked.egress;
    // Used once: compiling the schema would take longer.
    return Settings.parse({ ...managed?.defaults, ...known, ...locked }, { jitless: true });
  };
  let current: Settings | null = null;
  const get = (): Settings => {
    current ??= load();
    return current;
  };
  return {
    get,
    update: (changes) => {
      const checked = Object.entries(changes)
        .map(([name, value]) => check(name, value))
        .filter(([name, value]) => isChange(name, value, managed));
      connection.transaction(() => {
        for (const [name, value] of checked) put.run(name, JSON.stringify(value));
      });
      current = { ...get(), ...Object.fromEntries(checked) };
      return current;
    },
  };
}

/** Whether there is something to store: not where a locked setting stays as it is. Throws `MANAGED` for a change of one. */
function isChange(name: SettingName, value: unknown, managed: ManagedSettings | null): boolean {
  if (managed === null || !Object.hasOwn(managed.locked, name)) return true;
  const stays = isDeepStrictEqual(value, managed.locked[name]);
  if (name === 'egress' && (stays || value === 'offline')) return true;
  if (stays) return false;
  throw managed.refusal(name);
}

function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(Settings.shape, name);
}

function validValue(name: SettingName, text: string): unknown {
  try {
    return Settings.shape[name].parse(JSON.parse(text));
  } catch {
    // Not JSON, or not valid for this setting: the caller logs it.
    return undefined;
  }
}

function check(name: string, value: unknown): [SettingName, unknown] {
  if (!isSettingName(name)) {
    throw new AppError('BAD_REQUEST', `There is no setting "${name}".`, { details: { name } });
  }
  const result = safeParse(Settings.shape[name], value);
  if (result.success) return [name, result.data];
  const problem = result.error.issues[0]?.message ?? 'it has the wrong form';
  throw new AppError('BAD_REQUEST', `The value for the setting "${name}" is invalid: ${problem}.`, {
    details: { name, problem },
  });
}
