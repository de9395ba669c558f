import type { AppServices, RequestHandlers } from '../types.ts';

export function egressHandlers({ egress }: AppServices): Pick<RequestHandlers, 'egress.list'> {
  return {
    'egress.list': (filter) => ({ connections: egress.list(filter) }),
  };
}
