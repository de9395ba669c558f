import { isGoingOnLater } from '../../hitl/types.ts';

/** All of `work`, to its end; then the first failure, so that nothing is at work any more. */
export async function allOrFirstFailure(work: readonly Promise<void>[]): Promise<void> {
  const settled = await Promise.allSettled(work);
  const failed = settled.filter((one) => one.status === 'rejected').map(({ reason }) => reason);
  // That the run goes on later is what matters most of what went wrong.
  const [first] = [...failed.filter(isGoingOnLater), ...failed];
  if (first !== undefined) throw first;
}
