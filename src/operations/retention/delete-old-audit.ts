import type { KeyObject } from 'node:crypto';
import { nextTurn } from '../../basics/clock.ts';
import { accountsToAudit, findLastAudit } from '../../store/access/audit.ts';
import {
  deleteAuditUpTo,
  findAuditHash,
  findFirstAudit,
  listAuditTimes,
} from '../../store/retention/old-audit.ts';
import { deletionEntry, findDeletion } from '../audit/deleted-start.ts';
import { recordIn } from '../audit/write-entries.ts';
import type { Service } from '../service.ts';

export interface AuditTools extends Pick<Service, 'database' | 'clock' | 'stopping'> {
  /** What signs the record of a deletion. */
  signingKey: () => KeyObject;
}

/** Few enough that a statement delays no request. */
const entriesPerStatement = 1000;

interface Deletable {
  first: number;
  last: number;
}

/** The last entry before the first one of a time or later: clocks of servers differ. 0: there is none. */
async function findLastOld({ database, stopping }: AuditTools, accountId: string, before: number) {
  let last = 0;
  while (!stopping.aborted) {
    const page = await listAuditTimes(database.query, accountId, {
      after: last,
      limit: entriesPerStatement,
    });
    const young = page.findIndex(({ at }) => at >= before);
    const old = young < 0 ? page : page.slice(0, young);
    last = old.at(-1)?.number ?? last;
    if (old.length < entriesPerStatement) break;
    await nextTurn();
  }
  return last;
}

/** Records the deletion in the log itself, so that the rest still proves that nothing else is missing. */
async function announce(tools: AuditTools, accountId: string, lastOld: number): Promise<Deletable | null> {
  return tools.database.transaction(async (query) => {
    await tools.database.lock(query, `audit ${accountId}`);
    const first = await findFirstAudit(query, accountId);
    const last = await findAuditHash(query, accountId, lastOld);
    const end = await findLastAudit(query, accountId);
    // The end of the chain stays: new entries continue it.
    if (first === undefined || !last || !end || last.number >= end.number) return null;
    const announced = await findDeletion(query, accountId, undefined);
    if ((announced?.number ?? 0) < last.number)
      await recordIn(tools, query, deletionEntry(tools.signingKey(), accountId, last));
    return last.number < first ? null : { first, last: last.number };
  });
}

/** Deletes entries from before a time. Returns their number. */
export async function deleteOldAudit(tools: AuditTools, before: number): Promise<number> {
  const { query } = tools.database;
  let deleted = 0;
  for (const accountId of await accountsToAudit(query)) {
    const lastOld = await findLastOld(tools, accountId, before);
    const range = tools.stopping.aborted ? null : await announce(tools, accountId, lastOld);
    for (let { first, last } = range ?? { first: 1, last: 0 }; first <= last && !tools.stopping.aborted; ) {
      const end = Math.min(first + entriesPerStatement - 1, last);
      await deleteAuditUpTo(query, accountId, end);
      deleted += end - first + 1;
      first = end + 1;
      await nextTurn();
    }
  }
  return deleted;
}
