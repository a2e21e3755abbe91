// Runs the crash tests: npm run test:crash -- [--seconds N] [--seed N|random]. Both engines run for so many seconds each.
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '60' }, seed: { type: 'string', default: '1' } },
});
const seed = values.seed === 'random' ? String(randomInt(1, 1_000_000)) : values.seed;
for (const [name, value] of Object.entries({ seconds: values.seconds, seed }))
  if (!/^[1-9]\d{0,6}$/.test(value)) {
    console.error(`crash: --${name} must be a whole number from 1 to 9999999, not "${value}"`);
    process.exit(2);
  }

console.log(
  `crash: seed ${seed}; to repeat: npm run test:crash -- --seconds ${values.seconds} --seed ${seed}`,
);
const command = ['scripts/with-postgres.sh', 'npx', 'vitest', 'run', '--config', 'vitest.crash.config.ts'];
const { status } = spawnSync('bash', command, {
  stdio: 'inherit',
  env: { ...process.env, ALM_CRASH_SEED: seed, ALM_CRASH_SECONDS: values.seconds },
});
process.exit(status ?? 1);
