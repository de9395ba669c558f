import type { SettingsSection } from '../../store/app-state.ts';
import { agentStrings } from '../../strings/agents.ts';
import { libraryStrings } from '../../strings/library.ts';
import { networkStrings } from '../../strings/network.ts';
import { settingsStrings } from '../../strings/settings.ts';

/** A page of the settings, or one setting on it, by its label. */
export interface SettingEntry {
  readonly section: SettingsSection;
  readonly field: string | null;
}

const { models, tiers, sandbox, search, approvals, guardrails, appearance } = settingsStrings;
const { limits } = agentStrings;
const network = networkStrings.settings;

/** Settings that are always on their page; what appears only after a choice is found by its page. */
const FIELDS: Partial<Record<SettingsSection, readonly string[]>> = {
  models: [
    models.default,
    ...Object.values(tiers.names),
    tiers.vision,
    models.ollamaUrl,
    models.contextWindow,
    models.compression.label,
    models.maxRounds,
  ],
  agents: [
    agentStrings.instructions,
    agentStrings.review,
    agentStrings.route,
    agentStrings.execution,
    ...Object.values(limits).map(({ label }) => label),
    agentStrings.depth,
  ],
  sandbox: [
    sandbox.choice,
    sandbox.memory,
    sandbox.cpus,
    sandbox.pids,
    sandbox.disk,
    sandbox.timeout,
    sandbox.snapshotLimit,
    sandbox.snapshotHours,
  ],
  network: [network.egress, network.network, network.hosts, network.privateHosts],
  search: [search.provider, search.searxngUrl],
  library: [libraryStrings.embeddings],
  approvals: [approvals.timeout, approvals.resume, approvals.notifications],
  guardrails: [
    guardrails.on,
    ...Object.values(guardrails.places),
    guardrails.action,
    guardrails.timeout,
    guardrails.secondOpinion,
    guardrails.answerCheck,
  ],
  appearance: [appearance.theme, appearance.fontSize, appearance.density],
};

/** Every page of the settings, each followed by its settings. */
export const SETTING_ENTRIES: readonly SettingEntry[] = (
  Object.keys(settingsStrings.sections) as SettingsSection[]
).flatMap((section) => [
  { section, field: null },
  ...(FIELDS[section] ?? [])
    // One with the name of its page is at its top: two equal entries would lead to the same place.
    .filter((field) => field !== settingsStrings.sections[section])
    .map((field) => ({ section, field })),
]);
