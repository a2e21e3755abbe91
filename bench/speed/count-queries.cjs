// Loaded into the server: counts its statements on SQLite, and writes the number into the file BENCH_QUERIES every second.
const { writeFileSync } = require('node:fs');
const { isMainThread } = require('node:worker_threads');

let count = 0;
const wrap = (prototype, name) => {
  const original = prototype[name];
  if (!original) return;
  prototype[name] = function counted(...args) {
    count += 1;
    return original.apply(this, args);
  };
};

if (isMainThread && process.env.BENCH_QUERIES) {
  const file = process.env.BENCH_QUERIES;
  const Connection = require('libsql');
  const probe = new Connection(':memory:');
  const statement = Object.getPrototypeOf(probe.prepare('select 1'));
  for (const name of ['run', 'get', 'all', 'iterate']) wrap(statement, name);
  wrap(Connection.prototype, 'exec');
  probe.close();
  writeFileSync(file, '0');
  setInterval(() => writeFileSync(file, String(count)), 1000).unref();
}
