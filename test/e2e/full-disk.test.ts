import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { makeTestPlace, onPostgres, type TestPlace } from '../open-database.ts';
import { oneServer } from '../world.ts';
import { AlmanacProcess } from './almanac-process.ts';

/** A small disk, which needs the right to mount. */
function mountSmallDisk(): string | undefined {
  const directory = mkdtempSync(join(tmpdir(), 'almanac-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=12m', 'tmpfs', directory], { stdio: 'ignore' });
    return directory;
  } catch {
    rmSync(directory, { recursive: true });
    return undefined;
  }
}

function unmount(directory: string): void {
  execFileSync('umount', ['--lazy', directory]);
  rmSync(directory, { recursive: true });
}

const fill = (file: string): void => {
  const block = Buffer.alloc(64 * 1024);
  try {
    for (;;) writeFileSync(file, block, { flag: 'a' });
  } catch {
    // Full.
  }
};

const disk = onPostgres ? undefined : mountSmallDisk();
let own: TestPlace | undefined;
afterAll(async () => {
  await own?.remove();
  if (disk) unmount(disk);
});

describe.runIf(disk)('a server whose disk is full', () => {
  it('rejects writes with 503 and a reason, still reads, and recovers when there is space', async () => {
    const directory = disk ?? '';
    own = await makeTestPlace();
    const place = { ...own, directory, url: `sqlite:${join(directory, 'almanac.db')}` };
    const server = await AlmanacProcess.serve(place);
    const stackId = await server.applyTemplate(oneServer());
    await server.waitFor(stackId, 'CREATE_COMPLETE');
    const filler = join(directory, 'filler');
    fill(filler);

    const rejected = [];
    for (let number = 0; number < 20; number += 1)
      rejected.push(await server.call('POST', '/v3/alm/template', { json: oneServer() }));
    const last = rejected.at(-1);
    expect(last?.status).toBe(503);
    expect(last?.body).toMatchObject({
      code: '9003',
      message: 'The server cannot write to its disk',
      request_id: last?.headers.get('x-request-id'),
    });
    expect(last?.headers.get('retry-after')).not.toBeNull();
    expect(rejected.filter(({ status }) => status !== 201 && status !== 503)).toEqual([]);
    const ready = await server.call('GET', '/readyz');
    expect(ready.status).toBe(503);
    expect(ready.body.message).toBe('The disk of the data directory is full');
    expect(ready.text).not.toContain(directory);
    expect((await server.call('GET', `/v3/alm/stack/${stackId}`)).status).toBe(200);

    rmSync(filler);
    expect((await server.call('GET', '/readyz')).status).toBe(200);
    await server.waitFor(await server.applyTemplate(oneServer()), 'CREATE_COMPLETE');
  });
});
