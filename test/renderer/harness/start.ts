import { addArtifacts } from '../../fakes/artifact-run.ts';
import { addBrowsing } from '../../fakes/browsing-run.ts';
import { CSV_RUN } from '../../fakes/csv-run.ts';
import { FakeBridge } from '../../fakes/fake-bridge.ts';
import { fakePolicy } from '../../fakes/fake-policy.ts';
import { addQuestions } from '../../fakes/fake-questions.ts';
import { addHistory, fakeState } from '../../fakes/fake-state.ts';
import { addPlans } from '../../fakes/planned-run.ts';
import { addSkillTask } from '../../fakes/skill-run.ts';
import { addSteps } from '../../fakes/step-run.ts';
import { drawPage } from './draw-page.ts';

/** The real window before a fake main. Tests reach the fake as `window.fake`. */
const now = Date.now();
const settings = new URLSearchParams(location.search);
const fake = new FakeBridge(fakeState(now), CSV_RUN, Number(settings.get('pace') ?? 15));
if (settings.get('history') !== 'none') addHistory(fake, now);
const artifacts = settings.get('artifacts');
if (artifacts !== null) addArtifacts(fake, now, Number(artifacts));
if (new URLSearchParams(location.search).has('questions')) addQuestions(fake, now);
if (settings.has('plans')) addPlans(fake, now);
fake.browser.picture = drawPage;
if (settings.has('browser')) addBrowsing(fake, now);
if (settings.has('steps')) addSteps(fake, now);
const skills = settings.get('skills');
if (skills !== null) addSkillTask(fake, now);
if (skills === 'none') fake.skills.details = [];
else fake.skills.fill(Number(skills ?? 0));
fake.state.policy = fakePolicy(settings.get('policy'));
const first = settings.get('first');
if (first !== null) {
  fake.state.settings = { ...fake.state.settings, checkupSeen: false, model: null };
}
// Nothing but the demonstration answers.
if (first === 'none') {
  const problem = 'nothing answers at http://127.0.0.1:11434. Start it, or correct the address.';
  fake.state.servers = fake.state.servers.map((server) =>
    server.kind === 'demo' ? server : { ...server, reachable: false, models: [], problem },
  );
  fake.state.setupCheck = {
    ...fake.state.setupCheck,
    servers: fake.state.servers,
    verdict: {
      ready: false,
      text: 'Not ready: no model was found, do: run hyperagent setup',
    },
  };
}
for (let count = Number(settings.get('tasks') ?? 0); count > 0; count--) {
  const at = now - 3_600_000 * count;
  const title = `Sort photo album ${count} 整理第 ${count} 本相册`;
  const dates = { createdAt: at, updatedAt: at, pinnedAt: null, archivedAt: null };
  fake.state.threads.push({ id: `t-more-${count}`, title, ...dates, status: 'completed' });
}
if (settings.get('empty') === 'yes') fake.state.threads = [];
// The language of the settings, which a real main keeps when the window loads again.
const { startLanguage } = globalThis as { startLanguage?: 'en' | 'zh-Hans' };
if (startLanguage !== undefined) {
  fake.state.settings = { ...fake.state.settings, language: startLanguage };
}
Object.assign(window, { hyperagent: fake, fake });
await import('../../../src-renderer/start.ts');
