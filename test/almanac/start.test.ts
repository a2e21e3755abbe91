import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { refuseLostKey } from '../../src/almanac/start.ts';
import { readConfig } from '../../src/basics/config.ts';
import { createKeyFile } from '../../src/basics/sealing-key.ts';
import type { Database } from '../../src/store/database/database.ts';
import { setMetaOnce } from '../../src/store/database/meta.ts';
import { openDatabase } from '../../src/store/database/open-database.ts';
import { makeTestPlace, type TestPlace } from '../open-database.ts';

let place: TestPlace;
let database: Database;
beforeEach(async () => {
  place = await makeTestPlace();
  database = await openDatabase(place.url);
  await setMetaOnce(database.query, 'key_check', 'sealed by the other server');
});
afterEach(async () => {
  await database.close();
  await place.remove();
});

const config = () => readConfig({ ALM_DATA: place.directory, DATABASE_URL: place.url });

it('a key that another server creates while this one starts is not taken for a lost key', async () => {
  const duringTheOtherStart = {
    get query() {
      createKeyFile(join(place.directory, 'secret.key'));
      return database.query;
    },
  };
  await expect(refuseLostKey(config(), duringTheOtherStart)).resolves.toBeUndefined();
});

it('a lost key is refused when the database has sealed secrets', async () => {
  await expect(refuseLostKey(config(), database)).rejects.toThrow('sealed with another key');
});
