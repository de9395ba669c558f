import type { Migration } from '../migrate.ts';

/** What connectors offer for messages, so that it is known before they run. */
export const connectorOffers: Migration = {
  version: 19,
  name: 'connector-offers',
  sql: `
    -- Resources and prompts as JSON; null until the server first answered.
    ALTER TABLE connectors ADD COLUMN offers TEXT;
  `,
};
