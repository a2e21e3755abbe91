import pg from 'pg';

const { TEST_POSTGRES_URL = '', FUZZ_ENGINE = '' } = process.env;
const all = TEST_POSTGRES_URL ? ['SQLite', 'PostgreSQL'] : ['SQLite'];

/** The engines to run on. */
export function engines() {
  if (FUZZ_ENGINE && !all.includes(FUZZ_ENGINE))
    throw new Error(`FUZZ_ENGINE must be one of ${all.join(', ')}, not "${FUZZ_ENGINE}".`);
  return FUZZ_ENGINE ? [FUZZ_ENGINE] : all;
}

let made = 0;

/** The address of a new, empty database; null for SQLite, whose database is in the data directory. */
export async function databaseFor(engine) {
  if (engine === 'SQLite') return null;
  const name = `fuzz_${process.pid}_${(made += 1)}`;
  const admin = new pg.Client({ connectionString: TEST_POSTGRES_URL });
  await admin.connect();
  await admin.query(`create database ${name}`);
  await admin.end();
  return Object.assign(new URL(TEST_POSTGRES_URL), { pathname: `/${name}` }).href;
}
