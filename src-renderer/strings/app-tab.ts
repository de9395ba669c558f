import { formatCount, listOf } from '../format.ts';
import { inLanguage } from '../language.ts';

/** The App tab: the page of the app that the task builds, what it logs, and its server. */
export const appTabStrings = inLanguage('appTabStrings', {
  tab: 'App',
  loading: 'Loading the app',
  page: 'The app',
  server: {
    starting: 'The server is starting',
    running: 'The app is running',
    stopped: 'The server is stopped',
    failed: 'The server does not run',
  },
  start: 'Start',
  restart: 'Start again',
  stop: 'Stop the server',
  reload: 'Reload the page',
  path: 'Path in the app',
  port: 'Port',
  width: 'Width of the page',
  widths: { phone: 'Phone', tablet: 'Tablet', desktop: 'Whole panel' },
  outside: 'Open outside',
  outsideTip:
    'Opens the page in your browser. It reaches nothing but its own server there too, but may lead itself to another address.',
  pick: 'Pick an element',
  picking: 'Click an element of the page, or Tab to it and press Enter. Escape cancels.',
  stopPicking: 'Stop picking',
  console: 'Console',
  serverLog: 'Server log',
  errors: (count: number) => `${formatCount(count)} ${count === 1 ? 'error' : 'errors'}`,
  clear: 'Clear the console',
  nothingLogged: 'The page has logged nothing.',
  nothingPrinted: 'The server has printed nothing.',
  kinds: { log: 'Log', info: 'Info', warn: 'Warning', error: 'Error', failed: 'Not loaded' },
  times: (count: number) => `${formatCount(count)} times`,
  fix: 'Ask to fix it',
  fixThis: (text: string) => `The app shows this error:\n\n${text}\n\nPlease fix it.`,
  changeThis: (element: string) => `In the app, change this element:\n\n${element}\n\n`,
  put: 'Added to your message.',
  save: 'Download the project',
  saveTip: 'A zip file of the source files, with a README that says how to run it.',
  saved: (file: string, leftOut: readonly string[]) =>
    leftOut.length === 0 ? `Saved ${file}.` : `Saved ${file}. Not in it: ${listOf(leftOut)}.`,
  build: {
    start: 'Build for production',
    tip: 'Builds the app, starts what was built, and checks that its page works.',
    running: 'Building the app',
    stop: 'Stop building',
    made: (files: number, size: string) =>
      `Built: ${formatCount(files)} ${files === 1 ? 'file' : 'files'}, ${size}.`,
    works: 'It starts, and its page shows no problem.',
    failed: 'The app does not work in production',
    cancelled: 'The build was stopped.',
    save: 'Download the built files',
    close: 'Close',
    fixThis: (text: string) =>
      `The production build of the app has this problem:\n\n${text}\n\nPlease fix it.`,
  },
});
