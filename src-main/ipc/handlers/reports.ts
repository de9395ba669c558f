import type { AppServices, RequestHandlers } from '../types.ts';

export function reportHandlers({ reports }: AppServices): Pick<RequestHandlers, 'reports.export'> {
  return {
    'reports.export': async (input) => {
      const { fileName, mimeType, data } = await reports.export(input);
      return { fileName, mimeType, data: data.toString('base64') };
    },
  };
}
