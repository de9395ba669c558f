import { CLOUD_IDS, CLOUD_SERVICES } from '#contract/clouds.ts';
import { IMAGE_SERVER_LABELS, LOCAL_IMAGE_SERVERS } from '#contract/images.ts';
import { SEARCH_KEYS } from '#contract/search.ts';
import type { SettingsSection } from '../../store/app-state.ts';
import { agentStrings } from '../../strings/agents.ts';
import { levelStrings } from '../../strings/approval-levels.ts';
import { connectorStrings } from '../../strings/connectors.ts';
import { diagnosticsStrings } from '../../strings/diagnostics.ts';
import { libraryStrings } from '../../strings/library.ts';
import { modelUseStrings } from '../../strings/model-use.ts';
import { networkStrings } from '../../strings/network.ts';
import { settingsStrings } from '../../strings/settings.ts';
import { signInStrings } from '../../strings/sign-ins.ts';
import { userDataStrings } from '../../strings/user-data.ts';

/** A page of the settings, or one setting or group on it, by its label. */
export interface SettingEntry {
  readonly section: SettingsSection;
  readonly field: string | null;
}

const { models, tiers, installed, pull, clouds, embedded } = settingsStrings;
const { sandbox, search, images, approvals, guardrails, appearance, data } = settingsStrings;
const { limits } = agentStrings;
const network = networkStrings.settings;

/** Settings that are always on their page; what appears only after a choice is found by its page. */
const FIELDS: Partial<Record<SettingsSection, readonly string[]>> = {
  models: [
    models.default,
    tiers.title,
    ...Object.values(tiers.names),
    tiers.vision,
    installed.title,
    pull.title,
    clouds.title,
    ...CLOUD_IDS.map((id) => models.key(CLOUD_SERVICES[id].label)),
    models.ollamaUrl,
    models.contextWindow,
    models.compression.label,
    models.maxRounds,
    models.servers,
    embedded.title,
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
    sandbox.status,
    sandbox.image,
  ],
  network: [network.egress, network.network, network.hosts, network.privateHosts, network.recent],
  search: [
    search.provider,
    search.searxngUrl,
    ...SEARCH_KEYS.map(({ label }) => models.key(label)),
    search.keys,
    search.try,
  ],
  images: [
    images.provider,
    images.model,
    ...LOCAL_IMAGE_SERVERS.map((kind) => images.address(IMAGE_SERVER_LABELS[kind])),
    images.workflow,
    images.found,
  ],
  library: [libraryStrings.embeddings],
  connectors: [
    connectorStrings.list,
    connectorStrings.add.title,
    connectorStrings.window,
    connectorStrings.share,
  ],
  approvals: [
    levelStrings.label,
    approvals.policy,
    approvals.timeout,
    approvals.resume,
    approvals.notifications,
    approvals.rules,
  ],
  guardrails: [
    guardrails.on,
    ...Object.values(guardrails.places),
    guardrails.action,
    guardrails.timeout,
    guardrails.byModel,
    guardrails.secondOpinion,
    guardrails.answerCheck,
  ],
  appearance: [appearance.language, appearance.theme, appearance.fontSize, appearance.density],
  data: [
    userDataStrings.title,
    userDataStrings.export.title,
    signInStrings.title,
    userDataStrings.remove.title,
    modelUseStrings.title,
    data.importRun,
    diagnosticsStrings.title,
  ],
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
