import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type SealingKeys, Secret } from '../../../src/basics/secret.ts';
import { checkChains } from '../../../src/operations/audit/audit-chain.ts';
import { anchorsOf, readCheckpoint } from '../../../src/operations/audit/checkpoint.ts';
import {
  appendCheckpoints,
  CheckpointWriter,
  newCheckpoints,
} from '../../../src/operations/audit/checkpoint-writer.ts';
import { trustedKeys, vouchForOlderKeys } from '../../../src/operations/audit/trusted-keys.ts';
import { recordOther } from '../../../src/operations/audit/write-entries.ts';
import { eventually } from '../../http.ts';
import { World } from '../../world.ts';

let world: World;
let directory: string;
let file: string;
let keys: SealingKeys;
let failures: unknown[];
beforeEach(async () => {
  world = await World.open();
  directory = mkdtempSync(join(tmpdir(), 'almanac-test-'));
  file = join(directory, 'checkpoints.jsonl');
  keys = [randomBytes(32)];
  failures = [];
});
afterEach(async () => {
  await world.close();
  rmSync(directory, { recursive: true, force: true });
});

const record = async (count: number, actor = 'root') => {
  for (let each = 0; each < count; each += 1)
    await recordOther(world.service, {
      account_id: world.actor.accountId,
      actor_kind: 'user',
      actor,
      action: 'self',
      resource: '/',
      route: 'test',
    });
  world.clock.advance(1000);
};

const writer = (webhook: string | null = null) =>
  new CheckpointWriter({
    database: world.database,
    clock: world.clock,
    keys: () => keys,
    file,
    webhook: webhook === null ? null : new Secret(webhook),
    everyMs: 60_000,
    failed: (error) => failures.push(error),
  });

/** As a server that runs for a moment. */
const writeOnce = async () => {
  const server = writer();
  server.start();
  await server.stop();
};

const lines = () => readFileSync(file, 'utf8').trimEnd().split('\n');
const cutAfter = (number: number) =>
  world.database.query.deleteFrom('audit').where('number', '>', number).execute();

/** As `almanac audit verify`. */
const verify = async () => {
  const trusted = await trustedKeys(world.database, keys);
  const anchors = anchorsOf(lines().map((line) => readCheckpoint(line, trusted)));
  for await (const check of checkChains(world.database.query, anchors)) return check;
  return null;
};

describe('checkpoints of the audit log', () => {
  it('reveal that the end of the log was cut off, with every missing entry', async () => {
    await record(5);
    await writeOnce();
    expect(await verify()).toMatchObject({ isIntact: true, entries: 5 });
    await cutAfter(3);
    const problem = expect.stringMatching(/^and all later ones up to 5 are missing: the checkpoint of 2030-/);
    expect(await verify()).toMatchObject({ isIntact: false, number: 4, problem });
    await cutAfter(0);
    expect(await verify()).toMatchObject({ isIntact: false, number: 1 });
  });

  it('reveal that the end was cut off and replaced by other entries, also if the server signs the new log', async () => {
    await record(5);
    await writeOnce();
    await cutAfter(3);
    await record(4, 'mallory');
    await writeOnce();
    const problem = expect.stringContaining('the log was rewritten');
    expect(await verify()).toMatchObject({ isIntact: false, number: 5, problem });
  });

  it('are written when entries were added, at each interval and when the server stops', async () => {
    const server = writer();
    await record(1);
    server.start();
    await server.settled();
    expect(lines()).toHaveLength(1);
    world.clock.advance(60_000);
    await server.settled();
    expect(lines()).toHaveLength(1);
    await record(1);
    world.clock.advance(60_000);
    await server.settled();
    expect(lines()).toHaveLength(2);
    await record(1);
    await server.stop();
    expect(lines()).toHaveLength(3);
    expect(failures).toEqual([]);
  });

  it('can be written by several servers to one file', async () => {
    const servers = Array.from({ length: 5 }, () => writer());
    await record(3);
    for (const server of servers) server.start();
    await Promise.all(servers.map((server) => server.stop()));
    expect(lines()).toHaveLength(5);
    expect(await verify()).toMatchObject({ isIntact: true });
  });

  it('cannot be changed or made without the sealing key', async () => {
    await record(5);
    await writeOnce();
    const trusted = await trustedKeys(world.database, keys);
    const [line = ''] = lines();
    expect(() => readCheckpoint(line.replace('"number":5', '"number":3'), trusted)).toThrow(/was changed/);
    const foreign = await trustedKeys(world.database, [randomBytes(32)]);
    expect(() => readCheckpoint(line, foreign)).toThrow(/no key of this server vouches for/);
    expect(() => readCheckpoint('{', trusted)).toThrow('it is not JSON');
  });

  it('can still be verified after two rotations of the sealing key, when the older keys are gone', async () => {
    await record(2);
    await writeOnce();
    for (let each = 0; each < 2; each += 1) {
      keys = [randomBytes(32), keys[0]];
      await vouchForOlderKeys(world.database, keys);
      keys = [keys[0]];
    }
    await record(2);
    await writeOnce();
    expect(lines()).toHaveLength(2);
    expect(await verify()).toMatchObject({ isIntact: true });
    await cutAfter(1);
    expect(await verify()).toMatchObject({ isIntact: false, number: 2 });
  });

  it('do not expect entries that a restored backup does not have', async () => {
    await record(5);
    await writeOnce();
    await cutAfter(2);
    const restored = { database: world.database, clock: world.clock, keys: () => keys };
    await appendCheckpoints(file, (await newCheckpoints(restored, 'restore', new Map())).values());
    await record(6);
    await writeOnce();
    expect(await verify()).toMatchObject({ isIntact: true, entries: 8 });
    await cutAfter(1);
    expect(await verify()).toMatchObject({ isIntact: false, number: 2 });
  });

  it('that cannot be stored are reported, and the server goes on', async () => {
    await record(1);
    const server = writer();
    rmSync(directory, { recursive: true });
    server.start();
    await server.settled();
    expect(failures).toHaveLength(1);
  });
});

describe('the webhook for checkpoints', () => {
  const receive = async (statuses: number[]) => {
    const bodies: string[] = [];
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        bodies.push(body);
        response.writeHead(statuses.shift() ?? 200).end();
      });
    });
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    const { port } = server.address() as AddressInfo;
    return { bodies, url: `http://127.0.0.1:${port}/?secret=1`, close: () => server.close() };
  };

  it('gets every new checkpoint, as it is in the file', async () => {
    const { bodies, url, close } = await receive([]);
    await record(2);
    const server = writer(url);
    server.start();
    await server.stop();
    close();
    expect(bodies.join('')).toBe(readFileSync(file, 'utf8'));
  });

  it('is asked three times, then again with the next checkpoint; the error does not show its URL', async () => {
    const { bodies, url, close } = await receive([500, 500, 500]);
    await record(1);
    const server = writer(url);
    server.start();
    for (const asked of [1, 2, 3]) {
      await eventually(
        async () => {
          if (bodies.length < asked) world.clock.advance(1000);
          return bodies.length;
        },
        (count) => count >= asked,
      );
    }
    await server.settled();
    expect(failures.map(String)).toEqual(['Error: The webhook for audit checkpoints failed: status 500']);
    await record(1);
    await server.stop();
    close();
    expect(bodies).toHaveLength(4);
    expect(bodies[3]).toBe(`${lines()[1]}\n`);
  });
});
