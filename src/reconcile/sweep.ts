import { ServerStops } from '../basics/calls/unreachable.ts';
import type { Database, Query } from '../store/database/database.ts';
import {
  dropSweep,
  endSweep,
  listSweptStacks,
  type Sweep,
  type SweptStack,
  wakeAllSwept,
  wakeSwept,
} from '../store/stacks/schedule/sweeps.ts';
import { Unreachable } from '../vendors/vendor.ts';
import { backOffMs } from './decide.ts';
import type { ReconcileTools } from './tools.ts';

/** Rows that are read at once: a page must not keep the server from answering. */
const pageSize = 5_000;
/** Stacks that are woken in one transaction. */
const wakesAtOnce = 200;
const absent = 'absent';
/** After so many failures in a row the stacks are woken: a single call may fail. */
const failuresBeforeWaking = 2;
/** And again after so many more, as long as only passes can look at them. */
const failuresBetweenWakes = 10;
/** For a vendor that has no survey any more. */
const withoutSurveyMs = 300_000;

async function readAll(query: Query, sweep: Sweep): Promise<SweptStack[]> {
  const stacks: SweptStack[] = [];
  for (;;) {
    const page = await listSweptStacks(query, sweep, { after: stacks.at(-1)?.id ?? '', limit: pageSize });
    for (const stack of page) stacks.push(stack);
    if (page.length < pageSize) return stacks;
  }
}

type Seen = ReadonlyMap<string, string>;

async function wakeChanged(
  { database, clock }: ReconcileTools,
  stacks: readonly SweptStack[],
  seen: Seen,
): Promise<void> {
  const changed = stacks.filter(({ id, swept }) => (seen.get(id) ?? absent) !== swept);
  for (let done = 0; done < changed.length; done += wakesAtOnce)
    await database.transaction(async (query) => {
      for (const stack of changed.slice(done, done + wakesAtOnce))
        await wakeSwept(query, stack, { swept: seen.get(stack.id) ?? absent, now: clock.now() });
    });
  if (changed.length > 0) await database.notify('stack-due', changed[0]?.id ?? '');
}

async function wakeAll(database: Database, sweep: Sweep, now: number): Promise<void> {
  await wakeAllSwept(database.query, sweep, now);
  await database.notify('stack-due', '');
}

type SweptTools = ReconcileTools & { stopping: AbortSignal };

/** Returns the time between two sweeps. Fails with `Unreachable`. */
async function sweepOnce(tools: SweptTools, sweep: Sweep): Promise<number> {
  const { database, stopping } = tools;
  const { account_id: accountId, region } = sweep;
  const stacks = await readAll(database.query, sweep);
  if (stacks.length === 0 && (await dropSweep(database, sweep))) return 0;
  const { survey } = await tools.connect(sweep);
  if (survey) {
    const places = stacks.map(({ id }) => ({ id, accountId, region }));
    const seen = await tools.limitCalls(accountId, () => survey.look(places, stopping));
    await wakeChanged(tools, stacks, seen);
  } else await wakeAll(database, sweep, tools.clock.now());
  return survey?.everyMs ?? withoutSurveyMs;
}

async function noteFailure({ database, clock }: ReconcileTools, sweep: Sweep): Promise<void> {
  const troubles = sweep.troubles + 1;
  const late = troubles - failuresBeforeWaking;
  if (late >= 0 && late % failuresBetweenWakes === 0) await wakeAll(database, sweep, clock.now());
  await endSweep(database.query, sweep, { next_at: clock.now() + backOffMs(sweep.troubles), troubles });
}

/**
 * Looks at all settled stacks of one credential in one region, and wakes those that the cloud shows otherwise than before. May
 * be repeated. If the cloud does not answer, the stacks are woken, so that each shows it.
 */
export async function sweepStacks(tools: ReconcileTools, sweep: Sweep, stopping: AbortSignal): Promise<void> {
  const { database, clock } = tools;
  const { troubles } = sweep;
  const began = clock.now();
  try {
    const everyMs = await sweepOnce({ ...tools, stopping }, sweep);
    await endSweep(database.query, sweep, { next_at: began + everyMs, troubles: 0 });
  } catch (error) {
    // Another server goes on.
    if (stopping.aborted) await endSweep(database.query, sweep, { next_at: clock.now(), troubles });
    else await noteFailure(tools, sweep);
    if (!(error instanceof Unreachable || error instanceof ServerStops)) throw error;
  }
}
