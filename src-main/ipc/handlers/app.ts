import type { AppServices, RequestHandlers } from '../types.ts';

export function appHandlers({
  info,
  checkup,
}: AppServices): Pick<RequestHandlers, 'app.info' | 'checkup.run'> {
  return {
    'app.info': () => info,
    'checkup.run': (_input, client) => checkup(client.closed),
  };
}
