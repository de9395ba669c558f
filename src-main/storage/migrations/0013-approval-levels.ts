import type { Migration } from '../migrate.ts';

/**
 * Three approval levels, and one for each task. Nobody becomes freer by it: `ask_every_time` asks about all that
 * `ask_risky` did; `ask_high` and `unattended` asked about high risk, which still holds where nobody has chosen. What
 * `unattended` asked was parked and never denied, so that stays as well.
 */
export const approvalLevels: Migration = {
  version: 13,
  name: 'approval levels',
  sql: `
    ALTER TABLE threads ADD COLUMN level TEXT;

    INSERT INTO settings (name, value)
      SELECT 'attentionTimeout', '"park"' FROM settings
      WHERE name = 'policyLevel' AND value = '"unattended"'
      ON CONFLICT DO UPDATE SET value = excluded.value;
    DELETE FROM settings WHERE name = 'policyLevel' AND value <> '"ask_risky"';
    UPDATE settings SET value = '"ask_every_time"' WHERE name = 'policyLevel';
  `,
};
