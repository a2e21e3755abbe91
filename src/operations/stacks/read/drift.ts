import { Failure } from '../../../basics/failure.ts';
import { findStackById, type StackRow } from '../../../store/stacks/stacks.ts';
import { saveDrift } from '../../../store/stacks/summaries.ts';
import type { Drift } from '../../../vendors/drift.ts';
import { type Driver, stackOnVendor } from '../../../vendors/vendor.ts';
import type { Actor } from '../../access/access.ts';
import { askVendor } from '../../ask-vendor.ts';
import type { Service } from '../../service.ts';
import { connectVendor } from '../submit/vendor-access.ts';
import { findVisible } from './describe-stack.ts';

type DriftVerbs = Required<Pick<Driver, 'startDriftCheck' | 'readDrift'>>;

async function connect(service: Service, stack: StackRow): Promise<DriftVerbs> {
  const driver = await connectVendor(service, stack);
  const start = driver.startDriftCheck?.bind(driver);
  const read = driver.readDrift?.bind(driver);
  if (!start || !read)
    throw new Failure('invalid_request', `Vendor ${stack.vendor} does not support drift detection`);
  return { startDriftCheck: start, readDrift: read };
}

/** Starts a search for changes made at the vendor by hand. */
export async function startDriftCheck(service: Service, actor: Actor, stackId: string): Promise<void> {
  const stack = await findVisible(service, actor, { stackId, language: 'v3' });
  const driver = await connect(service, stack);
  const answer = await askVendor(service, stack.account_id, () =>
    driver.startDriftCheck(stackOnVendor(stack)),
  );
  if (!answer.accepted)
    throw new Failure('conflict', `The vendor cannot start a drift check now: ${answer.reason}`, {
      description: 'Try again when the stack is complete.',
    });
}

/** Whether a result is about the version that the stack has now. The vendor keeps results from before an update. */
const isCurrent = ({ checkedAt }: Drift, before: StackRow, now: StackRow | undefined): boolean =>
  now?.desired_version === before.desired_version && (checkedAt === null || checkedAt >= now.updated_at);

/** Lists of stacks show the last result that a user asked for. A check in progress is none: nobody may ask for its end. */
async function remember({ database, clock }: Service, stack: StackRow, drift: Drift): Promise<void> {
  const { id } = stack;
  const { state, checkedAt } = drift;
  if (state === 'checking' || !isCurrent(drift, stack, await findStackById(database.query, id))) return;
  const isNew = await saveDrift(database.query, id, { state, checkedAt, now: clock.now() });
  if (isNew) await database.notify('stack-event', id);
}

export async function readDrift(service: Service, actor: Actor, stackId: string): Promise<Drift> {
  const stack = await findVisible(service, actor, { stackId, language: 'v3' });
  const driver = await connect(service, stack);
  const drift = await askVendor(service, stack.account_id, () => driver.readDrift(stackOnVendor(stack)));
  await remember(service, stack, drift);
  return drift;
}
