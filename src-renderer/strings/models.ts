/** The choice of a model. */
export const modelStrings = {
  choose: 'Choose a model',
  current: (name: string) => `Model: ${name}`,
  loading: 'Looking for models',
  refresh: 'Refresh',
  cloud: 'cloud',
  cloudHint: 'Prompts leave this computer',
  noTools: 'no tools',
  demo: 'scripted demo',
  demoHint: 'Plays a script with real tools. No model is used.',
  unreachable: 'Not reachable',
  noModels: 'No models installed.',
  none: 'No model server found.',
  setupCheck: 'Open setup check',
  window: (tokens: string) => `${tokens} context`,
} as const;
