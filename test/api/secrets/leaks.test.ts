import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Route } from '../../../src/contract/route.ts';
import { v2Routes } from '../../../src/contract/v2.ts';
import { v3Routes } from '../../../src/contract/v3.ts';
import { writeBackup } from '../../../src/store/database/backup.ts';
import { recordLog, useServedAlmanac } from '../served-almanac.ts';

const { log, lines } = recordLog();
const almanac = useServedAlmanac({ log, environment: { ALM_LOG: 'trace' } });

/** The first value of each secret, and the one that replaced it. */
const values = ['correct-horse-4711', 'battery-staple-4712', 'key-of-the-server-4713', 'other-key-4714'];
const findIn = (text: string): string[] => values.filter((value) => text.includes(value));

const template = (label: string) => ({
  version: '2017-03-03',
  label,
  vendor: { aws: { cred: 'SANDBOX', region: 'ap-northeast-1' } },
  configurations: [
    {
      role: 'web',
      flag: 'web0',
      provision: { availability_zone: 'ap-northeast-1a' },
      container: {
        container_image: 'shop/web:1',
        container_secrets: { DB_PASSWORD: 'db-password', TLS_KEY: { secret: 'tls-key', as: 'file' } },
      },
    },
  ],
});

const as = async () => ({ token: await almanac.userToken() });
const set = async (name: string, value = '') =>
  almanac.call('PUT', `/v3/alm/secret/${name}`, { ...(await as()), json: { value } });

let stackId: string;
let versionIds: string[];
let writes: string[];
beforeAll(async () => {
  writes = [await set('db-password', values[0]), await set('tls-key', values[2])].map(({ text }) => text);
  stackId = await almanac.applyTemplate(template('first'));
  await almanac.waitFor(stackId, 'CREATE_COMPLETE');
  writes.push((await set('db-password', values[1])).text, (await set('tls-key', values[3])).text);
  const [json, path] = [template('second'), `/v3/alm/template/${stackId}`];
  const preview = `/v3/alm/template/preview?stack_id=${stackId}`;
  writes.push((await almanac.call('POST', preview, { ...(await as()), json })).text);
  writes.push((await almanac.call('PUT', path, { ...(await as()), json })).text);
  await almanac.waitFor(stackId, 'UPDATE_COMPLETE');
  const { body } = await almanac.call('GET', `/v3/alm/template?stack_id=${stackId}`, await as());
  versionIds = (body as unknown as { version_id: string }[]).map(({ version_id: id }) => id);
});

const isStream = ({ replies, webSocket }: Route): boolean =>
  webSocket === true ||
  Object.values(replies).some(({ contentType }) => [contentType].flat().includes('text/event-stream'));

/** The address of a route, for the stack of this test and what belongs to it. */
function addressOf({ path }: Route): string {
  const [first = '', second = first] = versionIds;
  const known: Record<string, string> = {
    stack_id: stackId,
    version_id: first,
    vendor: 'aws',
    username: 'root',
  };
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => known[name] ?? 'unknown');
  const query = {
    stack_id: stackId,
    flag: 'web0',
    version_id: first,
    src_sid: stackId,
    src_vid: second,
    tgt_vid: first,
  };
  return `${filled}?${new URLSearchParams(query).toString()}`;
}

const readRoutes = [...v3Routes, ...v2Routes].filter(
  (route: Route) => route.method === 'GET' && !isStream(route),
);

describe('the value of a secret', () => {
  it('reaches the agents of the stack', async () => {
    const path = `/v3/alm/agent/config?stack_id=${stackId}&flag=web0`;
    const { text } = await almanac.call('GET', path, { token: await almanac.stackToken(stackId) });
    expect(findIn(text)).toEqual([values[1], values[3]]);
  });

  it('is in no reply to the master, of any route that reads, and of those that changed the stack', async () => {
    const found: string[] = [];
    let answered = 0;
    for (const route of readRoutes) {
      const { status, text } = await almanac.call('GET', addressOf(route), await as());
      if (status === 200) answered += 1;
      if (findIn(text).length > 0) found.push(route.name);
    }
    expect(found).toEqual([]);
    expect(answered).toBeGreaterThan(40);
    expect(writes.flatMap(findIn)).toEqual([]);
  });

  it('is not in an error about a value that is too long', async () => {
    const { status, text } = await set('db-password', values[0]?.repeat(5000));
    expect(status).toBe(400);
    expect(findIn(text)).toEqual([]);
  });

  it('is in no file of the server, no backup and no line of the log', async () => {
    const backup = join(almanac.dataDirectory, 'backup.gz');
    await writeBackup(almanac.service.database, backup);
    const content = gunzipSync(readFileSync(backup)).toString();
    expect(content).toContain('"account_secrets"');
    expect(findIn(content)).toEqual([]);
    const files = readdirSync(almanac.dataDirectory, { recursive: true, encoding: 'utf8' })
      .map((name) => join(almanac.dataDirectory, name))
      .filter((file) => statSync(file).isFile());
    expect(files.filter((file) => findIn(readFileSync(file, 'latin1')).length > 0)).toEqual([]);
    expect(lines.length).toBeGreaterThan(10);
    expect(lines.filter((line) => findIn(line).length > 0)).toEqual([]);
  });

  it('is recorded in the audit log by the name of the secret', async () => {
    const { text } = await almanac.call('GET', '/v3/audit', await as());
    expect(text).toContain('mrn:alm:secret:db-password');
  });
});
