import { afterEach, beforeEach } from 'vitest';
import type { Database } from '../../../src/store/database/database.ts';
import { openPostgres } from '../../../src/store/database/postgres.ts';
import { makeTestPlace, type TestPlace } from '../../open-database.ts';

/** A new database on PostgreSQL for each test. */
export function usePostgres(): { place: TestPlace; database: Database } {
  const used = {} as { place: TestPlace; database: Database };
  beforeEach(async () => {
    used.place = await makeTestPlace();
    used.database = await openPostgres(used.place.url);
  });
  afterEach(async () => {
    await used.database.close();
    await used.place.remove();
  });
  return used;
}
