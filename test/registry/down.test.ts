import { expect, it } from 'vitest';
import { callHttp } from '../http.ts';
import { FrontDoor } from './world/front-door.ts';
import { useRegistry } from './world/registry-world.ts';

const world = useRegistry({ ALM_REGISTRY_TIMEOUT: '1' });

const readTags = () => world.server.call('GET', '/v3/alm/registry/imagetags?image_id=root/one');

it('many wrong passwords for the registry are refused without being checked', async () => {
  const { username, password: right } = await world.createNewUser();
  const query = `service=almanac-registry&scope=repository:${username}/one:pull`;
  const ask = (password: string) =>
    callHttp('GET', `${world.server.url}/v3/docker/token?${query}`, {
      headers: { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` },
    });
  const statuses: number[] = [];
  for (let attempt = 0; attempt < 30 && !statuses.includes(429); attempt += 1)
    statuses.push((await ask(`wrong ${attempt}`)).status);
  expect(statuses[0]).toBe(401);
  expect(statuses.at(-1)).toBe(429);
  expect((await ask(right)).status).toBe(429);
});

it('a registry that is down gives a 502 that names it, and tokens are still issued', async () => {
  await world.registry?.stop();
  const answer = await readTags();
  expect(answer.status).toBe(502);
  expect(answer.body.message).toContain(world.url);
  const token = await world.server.call('GET', '/v3/docker/token?service=almanac-registry');
  expect(token.status, token.text).toBe(200);
});

it('a registry that accepts connections and does not answer gives a 502 that says after how many seconds', async () => {
  await world.registry?.stop();
  const silent = new FrontDoor();
  await silent.listen(world.url);
  try {
    const answer = await readTags();
    expect(answer.status).toBe(502);
    expect(answer.body.message).toBe(
      `The registry at ${world.url} does not answer (no complete answer within 1 s)`,
    );
  } finally {
    await silent.close();
  }
});
