import { applyStoredLanguage, applyStoredLook } from './theme.ts';

// The window is imported last: its modules read their words, in the chosen language, as they load.
applyStoredLook();
void applyStoredLanguage().then(() => import('./main.tsx'));
