import { agentStrings } from './agents.ts';
import { appStrings } from './app.ts';
import { appTabStrings } from './app-tab.ts';
import { levelStrings } from './approval-levels.ts';
import { artifactStrings } from './artifacts.ts';
import { browserStrings } from './browser.ts';
import { chatStrings } from './chat.ts';
import { commandStrings } from './commands.ts';
import { composerStrings } from './composer.ts';
import { computerStrings, programStrings } from './computer.ts';
import { connectorStrings } from './connectors.ts';
import { diagnosticsStrings } from './diagnostics.ts';
import { diagramStrings } from './diagrams.ts';
import { dialogStrings } from './dialogs.ts';
import { fileEditorStrings } from './file-editor.ts';
import { historyStrings } from './file-history.ts';
import { firstStartStrings, getModelStrings } from './first-start.ts';
import { imageStrings } from './images.ts';
import { libraryStrings } from './library.ts';
import { modelUseStrings } from './model-use.ts';
import { modelStrings } from './models.ts';
import { networkStrings } from './network.ts';
import { paletteStrings } from './palette.ts';
import { planStrings } from './plan.ts';
import { policyStrings } from './policy.ts';
import { promptStrings } from './prompts.ts';
import { questionStrings } from './questions.ts';
import { readAloudStrings } from './read-aloud.ts';
import { remedyActionStrings, remedyStrings } from './remedies.ts';
import { researchStrings } from './research.ts';
import { settingsStrings } from './settings.ts';
import { setupCheckStrings } from './setup-check.ts';
import { sidebarStrings } from './sidebar.ts';
import { signInStrings } from './sign-ins.ts';
import { skillCardStrings } from './skill-cards.ts';
import { editorStrings, reviewStrings } from './skill-editor.ts';
import { skillStrings } from './skills.ts';
import { slideStrings } from './slides.ts';
import { suggestionStrings } from './suggestions.ts';
import { toolStrings } from './tools.ts';
import { unitStrings } from './units.ts';
import { userDataStrings } from './user-data.ts';
import { folderStrings } from './user-folder.ts';

/** All words of the window in simplified Chinese, by the names of their English exports. */
export const chinese = {
  agentStrings,
  appStrings,
  appTabStrings,
  levelStrings,
  artifactStrings,
  browserStrings,
  chatStrings,
  commandStrings,
  composerStrings,
  computerStrings,
  programStrings,
  diagnosticsStrings,
  diagramStrings,
  dialogStrings,
  fileEditorStrings,
  historyStrings,
  firstStartStrings,
  getModelStrings,
  imageStrings,
  libraryStrings,
  modelUseStrings,
  modelStrings,
  networkStrings,
  paletteStrings,
  planStrings,
  policyStrings,
  promptStrings,
  questionStrings,
  readAloudStrings,
  remedyActionStrings,
  remedyStrings,
  researchStrings,
  settingsStrings,
  setupCheckStrings,
  sidebarStrings,
  connectorStrings,
  signInStrings,
  skillCardStrings,
  editorStrings,
  reviewStrings,
  skillStrings,
  slideStrings,
  suggestionStrings,
  toolStrings,
  userDataStrings,
  unitStrings,
  folderStrings,
};
