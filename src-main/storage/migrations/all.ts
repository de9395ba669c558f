import type { Migration } from '../migrate.ts';
import { initial } from './0001-initial.ts';
import { models } from './0002-models.ts';
import { durableRuns } from './0003-durable-runs.ts';
import { egress } from './0004-egress.ts';
import { snapshots } from './0005-snapshots.ts';
import { orchestration } from './0006-orchestration.ts';
import { library } from './0007-library.ts';
import { skills } from './0008-skills.ts';
import { libraryApart } from './0009-library-apart.ts';
import { beforeJournal, runJournal } from './0010-run-journal.ts';
import { findTasks } from './0012-find-tasks.ts';
import { approvalLevels } from './0013-approval-levels.ts';
import { userFolders } from './0014-user-folders.ts';
import { artifacts } from './0015-artifacts.ts';
import { signIns } from './0016-sign-ins.ts';
import { taskApps } from './0017-task-apps.ts';
import { connectors } from './0018-connectors.ts';
import { connectorOffers } from './0019-connector-offers.ts';
import { userEdits } from './0020-user-edits.ts';
import { appPictures } from './0021-app-pictures.ts';

/** Every step of the schema, in order. A step that was released is never changed. */
export const migrations: readonly Migration[] = [
  initial,
  models,
  durableRuns,
  egress,
  snapshots,
  orchestration,
  library,
  skills,
  libraryApart,
  runJournal,
  beforeJournal,
  findTasks,
  approvalLevels,
  userFolders,
  artifacts,
  signIns,
  taskApps,
  connectors,
  connectorOffers,
  userEdits,
  appPictures,
];
