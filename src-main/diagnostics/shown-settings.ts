import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { Settings } from '#contract/settings.ts';
import type { TextCleaner } from './text-cleaner.ts';

/** What of a setting may be shown: its value, an address without credentials, how many entries, or whether it is set. */
type Decision =
  | 'value'
  | 'address'
  | 'count'
  | 'is_set'
  | ((value: never, cleaner: TextCleaner) => string);

const servers = (list: Settings['servers'], cleaner: TextCleaner): string =>
  list.length === 0
    ? 'none'
    : list.map(({ name, baseUrl }) => `${name} at ${cleaner.address(baseUrl)}`).join(', ');
const imageServers = (all: Settings['imageServers'], cleaner: TextCleaner): string =>
  Object.entries(all)
    .map(([name, address]) => `${name} at ${cleaner.address(address)}`)
    .join(', ');
const model = (one: Settings['model']): string =>
  one === null ? 'none' : `${one.provider}:${one.name}`;
const tiers = ({ max, pro, flash }: Settings['tiers']): string =>
  `max ${model(max)}, pro ${model(pro)}, flash ${model(flash)}`;

/**
 * Every setting needs a decision here, or it is not exported. `value` is for numbers, choices, truth values and
 * names of models; what the user wrote (instructions, prompts, hosts, folders) is counted at most.
 */
export const SHOWN_SETTINGS = {
  model,
  ollamaUrl: 'address',
  servers,
  tiers,
  visionModel: model,
  cloudConsents: 'count',
  modelThinking: 'count',
  embeddedModels: 'count',
  embeddedNames: 'count',
  contextWindow: 'value',
  compression: 'value',
  compressionThreshold: 'value',
  compressionKeep: 'value',
  customInstructions: 'is_set',
  sandbox: 'value',
  sandboxMemoryMb: 'value',
  sandboxCpus: 'value',
  sandboxPids: 'value',
  sandboxDiskMb: 'value',
  commandTimeoutSeconds: 'value',
  snapshotLimitMb: 'value',
  snapshotHours: 'value',
  executionMode: 'value',
  network: 'value',
  egress: 'value',
  egressWhenOn: 'value',
  egressHosts: 'count',
  egressPrivateHosts: 'count',
  approve: 'value',
  policyLevel: 'value',
  attentionTimeout: 'value',
  resumeRuns: 'value',
  notifications: 'value',
  maxRounds: 'value',
  planReview: 'value',
  maxReplans: 'value',
  parallelSteps: 'value',
  repeatsBeforeHint: 'value',
  errorsBeforeReplan: 'value',
  connectorSharePercent: 'value',
  maxHandoffs: 'value',
  researchDepth: 'value',
  researchPageSeconds: 'value',
  searchProvider: 'value',
  searxngUrl: 'address',
  imageProvider: 'value',
  imageModel: 'value',
  imageServers,
  comfyuiWorkflow: 'is_set',
  libraryFolders: 'count',
  skillFolders: 'count',
  prompts: 'count',
  embeddingModel: model,
  appearance: 'value',
  language: 'value',
  fontSize: 'value',
  density: 'value',
  checkupSeen: 'value',
  guardrails: 'value',
  guardrailsInput: 'value',
  guardrailsOutput: 'value',
  guardrailsTool: 'value',
  guardrailsAction: 'value',
  guardrailsTimeoutMs: 'value',
  routeByModel: 'value',
  secondOpinion: 'value',
  answerCheck: 'value',
} as const satisfies Readonly<Record<keyof Settings, Decision>>;

/** The settings that have a decision, in alphabetical order, with a mark at defaults and at what a policy locks. */
export function settingsSection(
  settings: Settings,
  { cleaner, locked }: { readonly cleaner: TextCleaner; readonly locked: readonly string[] },
): string[] {
  const defaults = Settings.parse({}, { jitless: true });
  const decisions: Readonly<Record<string, Decision>> = SHOWN_SETTINGS;
  return Object.keys(settings)
    .sort()
    .flatMap((name) => {
      const decision = Object.hasOwn(decisions, name) ? decisions[name] : undefined;
      if (decision === undefined) return [];
      const value: unknown = Reflect.get(settings, name);
      const marks = [
        ...(isDeepStrictEqual(value, Reflect.get(defaults, name)) ? ['default'] : []),
        ...(locked.includes(name) ? ['set by the policy'] : []),
      ];
      const mark = marks.length === 0 ? '' : ` (${marks.join(', ')})`;
      const text = shown(value, decision, cleaner);
      const isConstant = decision === 'value' && isChoice(name, value);
      return [`${name}: ${isConstant ? text : cleaner.line(text)}${mark}`];
    });
}

/** Whether this is one of the values that the app has for this setting: nobody is called that. */
function isChoice(name: string, value: unknown): boolean {
  let schema: unknown = Reflect.get(Settings.shape, name);
  while (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault)
    schema = schema.unwrap();
  const options: readonly unknown[] = schema instanceof z.ZodEnum ? schema.options : [];
  return typeof value !== 'string' || options.includes(value);
}

function shown(value: unknown, decision: Decision, cleaner: TextCleaner): string {
  if (typeof decision === 'function') return decision(value as never, cleaner);
  switch (decision) {
    case 'value':
      // Never an object: it could have fields that nobody decided on.
      if (typeof value === 'object' && value !== null) return 'left out';
      return value === '' ? 'none' : String(value);
    case 'address':
      return value === '' ? 'none' : cleaner.address(String(value));
    case 'count':
      return String(Object.keys(value ?? {}).length);
    case 'is_set':
      return value === '' || value === null ? 'not set' : 'set';
  }
}
