import { expect, it } from 'vitest';
import { commandIn } from '#renderer/components/setup-check/remedy.tsx';

it.each([
  ['Install bubblewrap: apt install bubblewrap', 'apt install bubblewrap'],
  [
    'Install Chromium with the package manager (Debian, Ubuntu: apt install chromium).',
    'apt install chromium',
  ],
  [
    'Add yourself to the group docker (sudo usermod -aG docker $USER) and sign in again.',
    'sudo usermod -aG docker $USER',
  ],
  ['In the app folder, run: npm run embedded (downloads about 90 MB, once).', 'npm run embedded'],
  ['Not ready: no model was found, do: run hyperagent setup', 'hyperagent setup'],
  ['Start it in a terminal with: ollama serve', 'ollama serve'],
  ['Start Docker.', null],
  ['Choose a smaller one.', null],
  ['Docker Desktop', null],
])('finds the command in "%s"', (remedy, command) => {
  expect(commandIn(remedy)).toBe(command);
});
