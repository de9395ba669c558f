import type { AppServices, RequestHandlers } from '../types.ts';

export function appHandlers({
  info,
  setupCheck,
}: AppServices): Pick<RequestHandlers, 'app.info' | 'setup.check'> {
  return {
    'app.info': () => info,
    'setup.check': (_input, client) => setupCheck(client.closed),
  };
}
