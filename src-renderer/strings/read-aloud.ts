import { inLanguage } from '../language.ts';

/** Reading answers aloud. */
export const readAloudStrings = inLanguage('readAloudStrings', {
  start: 'Read aloud',
  stop: 'Stop reading',
  startTip: 'Read aloud, by a voice of this computer: the text is sent nowhere',
  failed: 'This answer could not be read aloud.',
});
