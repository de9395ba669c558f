import { isLeftover, ownerLabel } from '../process-owner.ts';
import { ContainerList } from './engine-answers.ts';
import { EngineClient, EngineError } from './engine-client.ts';
import { type EngineQuestion, findEngine } from './engine-socket.ts';

const OWNER_LABEL = 'hyperagent.owner';
const KEY_LABEL = 'hyperagent.key';

/** Labels for a container of this process, by which a later start recognises a leftover. */
export function ownerLabels(key: string): Record<string, string> {
  return { [OWNER_LABEL]: ownerLabel(), [KEY_LABEL]: key };
}

/** Removes containers whose app has ended without closing them; returns how many. See `isLeftover`. */
export async function removeLeftoverContainers(client: EngineClient): Promise<number> {
  const filters = encodeURIComponent(JSON.stringify({ label: [OWNER_LABEL] }));
  const path = `/containers/json?all=1&filters=${filters}`;
  const containers = ContainerList.parse(await client.request({ method: 'GET', path }));
  const leftovers = containers.filter(({ Labels }) => isLeftover(Labels?.[OWNER_LABEL]));
  await Promise.all(leftovers.map(({ Id }) => removeContainer(client, Id)));
  return leftovers.length;
}

/**
 * Removes such containers from the engine that is found, if there is one. Never throws: without an engine, nothing runs
 * in its containers.
 */
export async function endLeftoverContainers(question: EngineQuestion): Promise<void> {
  const address = await findEngine(question);
  if (address.kind !== 'local') return;
  const client = new EngineClient(address.socketPath);
  try {
    await removeLeftoverContainers(client);
  } catch {
    // It is not an engine, or does not answer.
  } finally {
    client.close();
  }
}

/** Kills and removes a container; harmless if it is gone or being removed. */
export async function removeContainer(client: EngineClient, id: string): Promise<void> {
  try {
    await client.request({ method: 'DELETE', path: `/containers/${id}?force=1&v=1` });
  } catch (error) {
    const isGone = error instanceof EngineError && (error.status === 404 || error.status === 409);
    if (!isGone) throw error;
  }
}
