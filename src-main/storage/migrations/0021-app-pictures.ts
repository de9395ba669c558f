import type { Migration } from '../migrate.ts';

/** What the apps of tasks looked like in states of their files. */
export const appPictures: Migration = {
  version: 21,
  name: 'app-pictures',
  sql: `
    -- Of the files outside folders of tools; null for those of before.
    ALTER TABLE snapshots ADD COLUMN own_sha256 TEXT;
    CREATE TABLE app_pictures (
      thread_id TEXT NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
      content_sha256 TEXT NOT NULL,
      jpeg BLOB NOT NULL,
      PRIMARY KEY (thread_id, content_sha256)
    ) STRICT;
    CREATE TRIGGER app_pictures_of_no_snapshot AFTER DELETE ON snapshots
    BEGIN
      DELETE FROM app_pictures
      WHERE thread_id = OLD.thread_id
      AND content_sha256 = coalesce(OLD.own_sha256, OLD.manifest_sha256)
      AND NOT EXISTS (
        SELECT 1 FROM snapshots
        WHERE thread_id = OLD.thread_id
        AND coalesce(own_sha256, manifest_sha256) = coalesce(OLD.own_sha256, OLD.manifest_sha256)
      );
    END;
  `,
};
