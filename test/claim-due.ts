import type { Database } from '../src/store/database/database.ts';
import { type Claim, claimDueStacks, listWaitingLanes } from '../src/store/stacks/schedule/claim.ts';

/** Claims due stacks of all lanes, one lane after the other. */
export async function claimDue(
  database: Database,
  lease: { owner: string; now: number; until: number },
  limit: number,
): Promise<Claim[]> {
  const claims: Claim[] = [];
  for (const lane of await listWaitingLanes(database.query, lease.now))
    claims.push(...(await claimDueStacks(database, lease, { lane, limit: limit - claims.length })));
  return claims;
}
