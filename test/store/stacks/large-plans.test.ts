import { CompiledQuery } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AuditFilter, matchingAudit, ownersByStack } from '../../../src/store/access/audit.ts';
import type { Database } from '../../../src/store/database/database.ts';
import { stacksWithOlder } from '../../../src/store/retention/old-events.ts';
import { matchingStacks, type StackFilter } from '../../../src/store/stacks/stacks.ts';
import { onPostgres, openTestDatabase } from '../../open-database.ts';

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

async function planOf(text: string, parameters: readonly unknown[] = []): Promise<string[]> {
  const explained = CompiledQuery.raw(`explain query plan ${text}`, [...parameters]);
  const { rows } = await database.query.executeQuery<{ detail: string }>(explained);
  return rows.map(({ detail }) => detail);
}

// PostgreSQL chooses by what is in the tables.
describe.skipIf(onPostgres)(
  'in an account with many stacks and a long log, an index without sorting serves',
  () => {
    it.each<[string, StackFilter, string]>([
      ['the first page of stacks', { limit: 100 }, 'stacks_living (account_id=?)'],
      [
        'a later page, which does not read those before it',
        { limit: 100, after: { createdAt: 5, id: 'x' } },
        'stacks_living (account_id=? AND created_at<?)',
      ],
      [
        'stacks in a status',
        { limit: 100, status: 'CREATE_FAILED' },
        'stacks_by_status (status=? AND account_id=?)',
      ],
      [
        'the stack of a name',
        { limit: 100, nickname: 'a' },
        'stacks_by_nickname (account_id=? AND nickname=?)',
      ],
    ])('%s', async (_, filter, index) => {
      const { sql, parameters } = matchingStacks(database.query, 'account', filter).select('view').compile();
      expect(await planOf(sql, parameters)).toEqual([`SEARCH stacks USING INDEX ${index}`]);
    });

    it('the number of stacks in each status, for the metrics', async () => {
      const plan = await planOf(
        'select status, count(*) from stacks where deleted_at is null group by status',
      );
      expect(plan).toEqual(['SCAN stacks USING COVERING INDEX stacks_by_status']);
    });

    it('the owners of the stacks that requests were for, for their audit entries', async () => {
      const { sql, parameters } = ownersByStack(database.query, ['a', 'b']).compile();
      expect(await planOf(sql, parameters)).toEqual([expect.stringMatching(/^SEARCH .*\(id=\?\)$/)]);
    });

    it('stacks with old events, of which all may have many younger ones', async () => {
      const { sql, parameters } = stacksWithOlder(database.query, ['a', 'b'], 5).compile();
      expect(await planOf(sql, parameters)).toContain(
        'SEARCH events USING COVERING INDEX events_by_kind (stack_id=? AND kind=? AND at<?)',
      );
    });

    it.each<[string, AuditFilter, string]>([
      ['one stack', { resource: 'x' }, 'audit_by_resource (account_id=? AND resource=?)'],
      ['one actor', { actor: 'x' }, 'audit_by_actor (account_id=? AND actor=?)'],
      ['one action', { action: 'x' }, 'audit_by_action (account_id=? AND action=?)'],
      ['denied requests', { decision: 'denied' }, 'audit_denied (account_id=?)'],
    ])('audit entries of %s', async (_, filter, index) => {
      const wanted = { ...filter, order: 'newest first', limit: 100 } as const;
      const { sql, parameters } = matchingAudit(database.query, 'account', wanted).compile();
      expect(await planOf(sql, parameters)).toEqual([`SEARCH audit USING INDEX ${index}`]);
    });
  },
);
