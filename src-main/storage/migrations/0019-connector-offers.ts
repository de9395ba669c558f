import type { Migration } from '../migrate.ts';

/** Resources and prompts of connectors, so that they can be listed before the server runs. */
export const connectorOffers: Migration = {
  version: 19,
  name: 'connector-offers',
  sql: `
    -- Resources and prompts as JSON; null until the server first answered.
    ALTER TABLE connectors ADD COLUMN offers TEXT;
  `,
};
