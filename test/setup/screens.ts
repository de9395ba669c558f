import { APP_SCREENS } from './app-screens.ts';
import { ARTIFACT_SCREENS } from './artifact-screens.ts';
import type { Screen } from './axe.ts';
import { BROWSER_SCREENS } from './browser-screens.ts';
import { CONNECTOR_SCREENS } from './connector-screens.ts';
import { FILE_SCREENS } from './file-screens.ts';
import { IMAGE_SCREENS } from './image-screens.ts';
import { showComputer, showSidebar } from './narrow-window.ts';
import { SETTINGS_SCREENS } from './settings-screens.ts';
import { addAnswer } from './show-answer.ts';
import { SLIDE_SCREENS } from './slide-screens.ts';

/** Every state of the window beside the skills that is looked at: by axe, and for its layout. */
export const SCREENS: Readonly<Record<string, Screen>> = {
  'a new task': {
    path: '',
    open: (page) => page.getByRole('heading', { name: 'What can I help with?' }).waitFor(),
  },
  'an empty list of tasks': {
    path: '?empty=yes',
    open: async (page, narrow) => {
      await showSidebar(page, narrow);
      await page.getByText('Your tasks will appear here.').waitFor();
    },
  },
  'a finished task': {
    path: '#/task/t-sales',
    open: async (page) => {
      await page.getByText('explains grouping').waitFor();
      await page.getByRole('region', { name: 'Conversation' }).hover();
      await page.mouse.wheel(0, -4000);
      await page.getByRole('button', { name: /Ran Python/ }).click();
      await page.getByText('You approved this call').waitFor();
    },
  },
  'diagrams in an answer': {
    path: '',
    open: async (page) => {
      const flow = 'flowchart LR\n  A[Read] --> B{Clear?}\n  B -->|yes| C[Write]\n  B -->|no| A';
      const fences = [flow, 'flowchart LR\n  A[['].map((text) => `\`\`\`mermaid\n${text}\n\`\`\``);
      await addAnswer(page, `${fences.join('\n\n')}\n\nThe end.`);
      await page.getByRole('img', { name: 'Flowchart' }).waitFor();
      await page.getByText('Not drawn: the source could not be read as a diagram.').waitFor();
    },
  },
  'the tasks': {
    path: '#/task/t-sales',
    open: async (page, narrow) => {
      await showSidebar(page, narrow);
      await page.getByRole('button', { name: 'Clean up the photo' }).first().hover();
    },
  },
  'an approval': {
    path: '?pace=1',
    open: async (page) => {
      await page.getByRole('textbox', { name: 'Message' }).fill('Total the sales');
      await page.getByRole('textbox', { name: 'Message' }).press('Enter');
      await page.getByRole('button', { name: 'Approve once' }).waitFor();
    },
  },
  'a denial': {
    path: '?pace=1',
    open: async (page) => {
      await page.getByRole('textbox', { name: 'Message' }).fill('Total the sales');
      await page.getByRole('textbox', { name: 'Message' }).press('Enter');
      await page.getByRole('button', { name: 'Deny…' }).click();
    },
  },
  'a question': {
    path: '#/task/t-wait',
    open: (page) => page.getByRole('button', { name: 'Delete them' }).waitFor(),
  },
  'several approvals': {
    path: '?questions=1#/task/t-batch',
    open: (page) => page.getByRole('article').nth(1).waitFor(),
  },
  'a rule in the making': {
    path: '?questions=1#/task/t-batch',
    open: async (page) => {
      const member = page.getByRole('article').nth(1);
      await member.getByRole('button', { name: 'Always approve…' }).click();
      await member.getByText('Would have decided').waitFor();
    },
  },
  'arguments being changed': {
    path: '?questions=1#/task/t-batch',
    open: async (page) => {
      const member = page.getByRole('article').nth(1);
      await member.getByRole('button', { name: 'Edit…' }).click();
      await member.getByRole('button', { name: 'Review changes' }).click();
      await member.getByRole('button', { name: 'Approve changes' }).waitFor();
    },
  },
  'a checkpoint': {
    path: '?questions=1#/task/t-plan',
    open: async (page) => {
      await page.getByLabel('question_count').fill('many');
      await page.getByText('Enter valid JSON.').waitFor();
    },
  },
  'a plan with lanes': {
    path: '?plans=1#/task/t-planned',
    open: async (page, narrow) => {
      await page.getByRole('button', { name: /^Plan: / }).waitFor();
      await showComputer(page, narrow);
      await page.getByRole('button', { name: /Running 2 Total the orders/ }).click();
      await page.getByText('orders-by-region.csv').waitFor();
    },
  },
  'a plan that was made again': {
    path: '?plans=1#/task/t-doubt',
    open: async (page, narrow) => {
      await page.getByText('This answer is not verified').waitFor();
      await showComputer(page, narrow);
      await page.getByRole('button', { name: 'Earlier revisions (1)' }).click();
      await page.getByRole('button', { name: 'To-do list as text' }).click();
      await page.getByText('- [ ] Look at the columns').waitFor();
    },
  },
  'checks in the conversation': {
    path: '?plans=1#/task/t-doubt',
    open: async (page) => {
      await page.getByText('This answer is not verified').waitFor();
      await page.getByRole('button', { name: /^Not verified Check of the answer/ }).click();
    },
  },
  'a plan being changed': {
    path: '?plans=1#/task/t-planned',
    open: async (page, narrow) => {
      await page.getByRole('button', { name: /^Plan: / }).waitFor();
      await showComputer(page, narrow);
      await page.getByRole('button', { name: 'Edit plan' }).click();
      await page.getByRole('button', { name: 'Add step' }).click();
    },
  },
  'a plan that changed meanwhile': {
    path: '?plans=1#/task/t-ask-plan',
    open: async (page, narrow) => {
      await page.getByRole('button', { name: /^Plan: / }).waitFor();
      await showComputer(page, narrow);
      await page.getByRole('button', { name: 'Edit plan' }).click();
      await page.getByRole('textbox', { name: 'Step 1' }).fill('Mine');
      await page.evaluate(() =>
        globalThis.fake.request('plans.edit', {
          ...{ runId: 'run-t-ask-plan', revision: 0 },
          steps: [{ id: 's2', title: 'Theirs' }],
        }),
      );
      await page.getByRole('button', { name: 'Save plan' }).click();
      await page.getByText('The plan has changed meanwhile.').waitFor();
    },
  },
  'a plan that waits to start': {
    path: '?plans=1#/task/t-ask-plan',
    open: (page) => page.getByRole('button', { name: 'Review or edit the plan first' }).waitFor(),
  },
  'research in progress': {
    path: '?plans=1#/task/t-research',
    open: async (page) => {
      await page.getByRole('button', { name: '3 searches' }).click();
      await page.getByText('heat pump running cost per year').waitFor();
    },
  },
  'the sources': {
    path: '?plans=1#/task/t-research',
    open: async (page, narrow) => {
      await page.getByText('of questions answered').waitFor();
      await showComputer(page, narrow);
      await page.getByRole('button', { name: '1 more' }).click();
    },
  },
  'a report': {
    path: '?plans=1#/task/t-report',
    open: async (page, narrow) => {
      await page.getByText('The report is written').first().waitFor();
      await showComputer(page, narrow);
      await page.getByRole('navigation', { name: 'Contents' }).waitFor();
    },
  },
  'the words behind a number': {
    path: '?plans=1#/task/t-report',
    floats: true,
    open: async (page, narrow) => {
      await page.getByText('The report is written').first().waitFor();
      await showComputer(page, narrow);
      await page.getByRole('button', { name: 'Source 1, doubtful' }).click();
      await page.getByText('Doubtful: the excerpt does not support').waitFor();
    },
  },
  'places that a search found': {
    path: '#/task/t-sales',
    open: async (page, narrow) => {
      if (narrow) await page.getByRole('button', { name: 'Show the task list' }).click();
      await page.getByRole('searchbox', { name: 'Search tasks' }).fill('sales');
      await page.getByRole('list', { name: '1 task found' }).waitFor();
    },
  },
  'text to find in the conversation': {
    path: '#/task/t-sales',
    open: async (page) => {
      await page.getByText('South is the weakest region').waitFor();
      await page.keyboard.press('Control+f');
      await page.keyboard.type('revenue');
      await page.getByText('1 of 10').waitFor();
    },
  },
  'the choices of research': {
    path: '?plans=1',
    floats: true,
    open: async (page) => {
      await page.getByRole('radio', { name: 'Research', exact: true }).click();
      await page.getByRole('button', { name: /^Research: / }).click();
    },
  },
  'a paused run': {
    path: '?questions=1#/task/t-paused',
    open: (page) => page.getByText('This run is paused.').waitFor(),
  },
  'a message being edited': {
    path: '#/task/t-unverified',
    open: (page) => page.getByRole('button', { name: 'Edit and run again' }).first().click(),
  },
  'a rule being edited': {
    path: '',
    open: async (page, narrow) => {
      await showSidebar(page, narrow);
      await page.getByRole('button', { name: 'Settings' }).click();
      await page.getByRole('tab', { name: 'Approvals' }).click();
      await page.getByRole('button', { name: /^Edit the rule/ }).click();
      await page.getByText('Would have decided').waitFor();
    },
  },
  'a failed run': {
    path: '#/task/t-fail',
    open: (page) => page.getByText('MODEL_STREAM_BROKEN').waitFor(),
  },
  'an unverified run': {
    path: '#/task/t-unverified',
    open: (page) => page.getByText('This answer is not verified').waitFor(),
  },
  'the terminal': {
    path: '#/task/t-sales',
    open: async (page, narrow) => {
      await showComputer(page, narrow);
      await page.getByRole('tab', { name: 'Terminal' }).click();
      await page.locator('.xterm-rows').getByText('West').first().waitFor();
    },
  },
  'the model picker': {
    path: '',
    floats: true,
    open: async (page) => {
      await page.getByRole('button', { name: /^Model: / }).click();
      await page.getByRole('menuitem', { name: '1 server does not answer' }).click();
      await page.getByText('http://127.0.0.1:1234/v1').waitFor();
    },
  },
  'no model': {
    path: '',
    open: async (page) => {
      await page.getByRole('button', { name: 'Model: qwen3:8b' }).waitFor();
      await page.evaluate(() => {
        const settings = { ...globalThis.fake.state.settings, model: null };
        globalThis.fake.state.settings = settings;
        globalThis.fake.push({ kind: 'settings_changed', settings });
      });
      await page.getByText('This message needs a model.').waitFor();
    },
  },
  'an answer to a question': {
    path: '#/task/t-wait',
    open: async (page) => {
      await page.getByRole('textbox', { name: 'Message' }).fill('Into the attic');
      await page.getByRole('button', { name: 'Send after this run instead' }).waitFor();
    },
  },
  'a rich answer': {
    path: '',
    open: async (page) => {
      await page.evaluate(() => {
        const { fake } = globalThis;
        const [first] = fake.state.runs;
        if (first === undefined) throw new Error('The fake main has no runs.');
        const text = [
          'It is so[^1], and known [1].',
          '| City | Price of a ticket | A remark that is long enough to be wrapped |\n|---|--:|---|\n| Bonn | $90 | none |\n| Ulm | $120 | a-word-without-a-space-that-is-longer-than-any-column |',
          '- [x] done\n- [ ] open',
          '```sh\necho one long line that does not fit into any column of a narrow window, however wide it may be\n```',
          '[^1]: By a note.',
        ].join('\n\n');
        const run = { ...first, id: 'rich', threadId: 't-run', status: 'completed' as const };
        fake.addLog(run, [
          {
            ...{ type: 'source', index: 1, url: 'https://example.com/', title: 'A page' },
            ...{ snippet: '', foundBy: 'search' },
          },
          { type: 'token', messageId: 'm', text },
          {
            ...{ type: 'complete', outcome: 'completed', durationMs: 1, rounds: 1, toolCalls: 0 },
            answer: text,
          },
        ]);
      });
      await page.evaluate(`location.hash = '#/task/t-run'`);
      await page.getByRole('button', { name: 'Sort by City' }).waitFor();
    },
  },
  'the shortcuts': {
    path: '#/task/t-sales',
    open: async (page) => {
      await page.getByRole('textbox', { name: 'Message' }).waitFor();
      await page.keyboard.press('Control+/');
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    },
  },
  'the command palette': {
    path: '#/task/t-sales',
    open: async (page) => {
      await page.getByRole('textbox', { name: 'Message' }).waitFor();
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox').fill('se');
      await page.getByRole('option').nth(3).waitFor();
    },
  },
  'the list that / opens': {
    path: '',
    open: async (page) => {
      await page.getByRole('radio', { name: 'Data' }).waitFor();
      await page.evaluate(() => {
        const { fake } = globalThis;
        const prompts = [
          { name: 'Weekly report', text: 'Report on {{topic}}' },
          { name: `<b>${'a-name-without-spaces-'.repeat(9)}\u202e`, text: 'x'.repeat(9_000) },
        ];
        fake.push({ kind: 'settings_changed', settings: { ...fake.state.settings, prompts } });
      });
      await page.getByRole('textbox', { name: 'Message' }).focus();
      await page.keyboard.type('Some words /');
      await page.getByRole('option', { name: /^Weekly report/ }).waitFor();
    },
  },
  'the list that @ opens': {
    path: '#/task/t-sales',
    open: async (page) => {
      await page.getByText('South is the weakest region').waitFor();
      await page.evaluate(
        (name) => {
          const { fake } = globalThis;
          fake.state.files.set(name, { mimeType: 'text/plain', encoding: 'utf8', data: '' });
        },
        `${'a-long-folder/'.repeat(40)}<b>${'long'.repeat(2_000)}\u202egpj.exe`,
      );
      await page.getByRole('textbox', { name: 'Message' }).focus();
      await page.keyboard.type('Look at @');
      await page.getByRole('option', { name: /total\.py/ }).waitFor();
    },
  },
  'a message that becomes a prompt': {
    path: '',
    open: async (page) => {
      await page.getByRole('textbox', { name: 'Message' }).fill('Report on {{topic}}. '.repeat(60));
      await page.keyboard.type(' /save');
      await page.getByRole('option', { name: /^Save this message/ }).click();
      await page.getByRole('dialog', { name: 'Save as prompt' }).waitFor();
    },
  },
  ...FILE_SCREENS,
  ...SETTINGS_SCREENS,
  ...CONNECTOR_SCREENS,
  ...ARTIFACT_SCREENS,
  ...BROWSER_SCREENS,
  ...APP_SCREENS,
  ...SLIDE_SCREENS,
  ...IMAGE_SCREENS,
};
