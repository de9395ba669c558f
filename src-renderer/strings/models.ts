/** The choice of a model. */
export const modelStrings = {
  choose: 'Choose a model',
  current: (name: string) => `Model: ${name}`,
  currentCloud: (name: string) => `Model: ${name}, in a cloud`,
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
  openSettings: 'Open model settings',
  window: (tokens: string) => `${tokens} context`,
} as const;
