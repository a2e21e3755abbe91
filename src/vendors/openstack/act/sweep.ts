import { type Answer, accepted } from '../../vendor.ts';
import { CloudError, ifThere, Refusal } from '../errors.ts';
import { type Leftover, leftoversOf, listLeftovers } from '../observe/leftovers.ts';
import type { Region } from '../region.ts';

/** So long the cloud may need for one resource: a volume is busy after its server, a load balancer after its members. */
const patienceMs = 600_000;

/** Deletes what is left of a stack that Heat no longer has: the first kind that can be deleted. Called again for the next. */
export async function sweep(region: Region, stackId: string): Promise<Answer> {
  const left = leftoversOf(await listLeftovers(region), stackId);
  region.leftovers.forget();
  const first = Math.min(...left.map(({ order }) => order));
  const turn = left.filter(({ order }) => order === first);
  const problems: CloudError[] = [];
  for (const leftover of turn.filter(({ isLeaving }) => !isLeaving))
    await deleteOne(region, leftover).catch(collectIn(problems));
  recordSweep(region, stackId, turn);
  endIfStuck(region, stackId, { turn, problems });
  return accepted;
}

/** It may be gone by now. */
const deleteOne = async ({ client }: Region, { service, path }: Leftover): Promise<void> =>
  void (await ifThere(() => client.change({ service, method: 'DELETE', path })));

/** The cloud rejects what it cannot delete yet. */
const collectIn =
  (problems: CloudError[]) =>
  (cause: unknown): void => {
    if (!(cause instanceof CloudError)) throw cause;
    problems.push(cause);
  };

/** Remembers since when the same resources are left. */
function recordSweep({ sweeps, clock }: Region, stackId: string, turn: readonly Leftover[]): void {
  if (turn.length === 0) return void sweeps.delete(stackId);
  const at = clock.now();
  const left = turn.map(({ path }) => path).join(' ');
  const before = sweeps.get(stackId);
  sweeps.set(stackId, { at, left, since: before?.left === left ? before.since : at });
}

interface Turn {
  turn: readonly Leftover[];
  problems: readonly CloudError[];
}

/** Another request to delete the stack starts the time again. */
function endIfStuck({ sweeps, clock }: Region, stackId: string, { turn, problems }: Turn): void {
  const since = sweeps.get(stackId)?.since ?? clock.now();
  if (clock.now() - since < patienceMs) return;
  sweeps.delete(stackId);
  const [problem] = problems;
  if (problem) throw problem;
  throw new Refusal(
    `The cloud does not finish the deletion of ${turn.map(({ path }) => path).join(', ')}. ` +
      'Delete it by hand, or ask the operator of the cloud; then delete the stack again.',
  );
}
