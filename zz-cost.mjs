import Connection from 'libsql';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
const base = Number(process.argv[2] ?? 1e6), added = 100_000, batch = Number(process.argv[3] ?? 20);
const names = ['resource', 'actor', 'action', 'decision'];
function run(indexes) {
  const dir = mkdtempSync('/tmp/pgw/audit-');
  const c = new Connection(`${dir}/a.db`);
  c.pragma('journal_mode = WAL'); c.pragma('synchronous = OFF'); c.pragma('cache_size = ' + (process.env.CACHE ?? -2000));  c.pragma('wal_autocheckpoint = 4000');
  c.exec(`create table audit (account_id text not null, number bigint not null, at bigint not null, actor_kind text not null, actor text not null, client_id text not null, client_kind text not null default '', action text not null, resource text not null, owner text not null, decision text not null, route text not null, status bigint, address text not null, request_id text not null, detail text not null, token text, hash text not null, primary key (account_id, number))`);
  c.exec('create index audit_by_time on audit (account_id, at)');
  const insert = c.prepare(`insert into audit values (${Array(18).fill('?').join(',')})`);
  const row = (n) => ['account-0123456789abcdef', n, 1.7e12 + n * 10, 'user', `user-${n % 20}`, 'alm', 'cli', `alm:action${(n * 7) % 60}`, `mrn:alm:stack:${(n * 7919) % 100000}`, 'user-1', n % 50 ? 'allowed' : 'denied', '/v3/alm/stack/{stack_id}', 200, '127.0.0.1', randomBytes(8).toString('hex'), '', null, randomBytes(32).toString('hex')];
  const fill = (from, to, size) => { for (let n = from; n < to; n += size) { c.exec('begin'); for (let k = n; k < Math.min(to, n + size); k++) insert.run(row(k)); c.exec('commit'); } };
  fill(1, base, 10000);
  for (const name of indexes) c.exec(`create index audit_by_${name} on audit (account_id, ${name}, number)`);
  const size0 = statSync(`${dir}/a.db`).size;
  const rows = Array.from({ length: added }, (_, k) => row(base + k));
  const cpu = process.cpuUsage(), t = performance.now();
  for (let n = 0; n < added; n += batch) { c.exec('begin'); for (let k = n; k < Math.min(added, n + batch); k++) insert.run(rows[k]); c.exec('commit'); }
  const used = process.cpuUsage(cpu);
  c.close(); rmSync(dir, { recursive: true });
  return { us: ((used.user + used.system) / added).toFixed(1), wall: ((performance.now() - t) * 1000 / added).toFixed(1), bytesPerRow: (size0 / base).toFixed(0) };
}
for (const set of [[], names, ['resource','actor','action'], ['resource'], ['decision']]) console.log(JSON.stringify(set), run(set));
