import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../http.ts';
import { EngineWorld } from './world/engine-world.ts';

const world = new EngineWorld();
let net = '';

beforeAll(async () => {
  net = await world.network('net', '10.52.0.0/24');
});
afterAll(() => world.clear());

const redis = (name: string, environment: Record<string, string>) =>
  world.run({ role: 'redis', name, environment, networks: [{ network: net, aliases: [name] }] });

it('a Redis replica has the data of its primary, and the data survives a restart', async () => {
  const primary = await redis('main', { CACHE_MEMORY_MIB: '32' });
  const replica = await redis('copy', { CACHE_ROLE: 'replica', CACHE_PRIMARY_HOST: 'main' });
  await world.ready(primary, replica);
  expect(await world.stdout(replica, 'redis-cli', '-h', 'main', 'set', 'colour', 'grün')).toBe('OK');
  const read = () => world.stdout(primary, 'redis-cli', '-h', 'copy', 'get', 'colour');
  await eventually(read, (found) => found === 'grün');
  expect(await world.stdout(primary, 'redis-cli', '-h', 'copy', 'set', 'colour', 'rot')).toContain(
    'READONLY',
  );
  await world.engine.containers.stop(primary, 5);
  await world.engine.containers.start(primary);
  await world.ready(primary);
  expect(await world.stdout(replica, 'redis-cli', '-h', 'main', 'get', 'colour')).toBe('grün');
});

it('Redis with a password rejects clients without it', async () => {
  const password = 'se"cret\\word';
  const primary = await redis('guarded', { CACHE_PASSWORD: password });
  const replica = await redis('guarded-copy', {
    CACHE_PASSWORD: password,
    CACHE_ROLE: 'replica',
    CACHE_PRIMARY_HOST: 'guarded',
  });
  await world.ready(primary, replica);
  expect(await world.stdout(replica, 'redis-cli', '-h', 'guarded', 'get', 'x')).toContain('NOAUTH');
});

it('Memcached returns stored values', async () => {
  const cache = await world.run({ role: 'memcached', name: 'cache', networks: [{ network: net }] });
  await world.ready(cache);
  const script =
    'exec 3<>/dev/tcp/127.0.0.1/11211; printf "set a 0 0 5\\r\\nhello\\r\\nget a\\r\\nquit\\r\\n" >&3; cat <&3';
  expect(await world.stdout(cache, 'bash', '-c', script)).toContain('hello');
});
