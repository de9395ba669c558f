import { isGoingOnLater } from '../../hitl/types.ts';

/** Waits for all of `work`, then throws the first failure, so that nothing keeps running. */
export async function allOrFirstFailure(work: readonly Promise<void>[]): Promise<void> {
  const settled = await Promise.allSettled(work);
  const failed = settled.filter((one) => one.status === 'rejected').map(({ reason }) => reason);
  // A pause takes precedence over other failures, so that the run can resume.
  const [first] = [...failed.filter(isGoingOnLater), ...failed];
  if (first !== undefined) throw first;
}
