import { beforeAll, describe, expect, it } from 'vitest';
import { oneServer } from '../../world.ts';
import { useServedAlmanac } from '../served-almanac.ts';
import { V2Caller } from '../v2/caller.ts';
import { forbidden } from './access-caller.ts';
import { allow, deny, rolesOn } from './role-statements.ts';

const almanac = useServedAlmanac();
const { userWith } = rolesOn(almanac);
let v2: V2Caller;
let v3Stack: string;
let v2Stack: string;
let versionId: string;
/** Roles that lack the right: one that only reads, and one that denies exactly the actions of these routes. */
const tokens: Record<string, string> = {};
beforeAll(async () => {
  v3Stack = await almanac.applyTemplate(oneServer(1));
  versionId = String((await almanac.waitFor(v3Stack, 'CREATE_COMPLETE')).version_id);
  v2 = await V2Caller.of(almanac);
  const { body } = await v2.create({ architecture: 'art_single', type: 't2.micro', image: 'library/nginx' });
  v2Stack = String(body.stack_id);
  const reader = await userWith('reader', allow(['stack:describe*', 'template:describe*', 'cred:*']));
  const limited = await userWith(
    'limited',
    allow(['*']),
    deny(['template:updateAlmTemplate', 'stack:deleteStack']),
  );
  tokens['reads only'] = reader.token;
  tokens['denies updates and deletions'] = limited.token;
});

const v3 = () => `/v3/alm/stack/${v3Stack}`;
const routes: [string, string, () => string, (() => object)?][] = [
  ['updating a template', 'PUT', () => `/v3/alm/template/${v3Stack}?data=delete`, () => oneServer(2)],
  ['rolling back', 'POST', () => `${v3()}/rollback?data=delete`, () => ({ version_id: versionId })],
  [
    'rolling back with skipped resources',
    'POST',
    () => `${v3()}/rollback`,
    () => ({ version_id: versionId, skip_resources: ['VPC'] }),
  ],
  ['refreshing images', 'POST', () => `${v3()}/images?servers=replace`],
  ['deleting a stack', 'DELETE', () => `${v3()}?data=delete`],
  [
    'updating a v2 stack',
    'PUT',
    () => `/v2/alm/stack/${v2Stack}?data=delete`,
    () => ({ configurations: { type: 't2.small' } }),
  ],
  ['deploying code', 'POST', () => `/v2/alm/stack/${v2Stack}/code?data=delete`, () => ({ method: 'git' })],
  [
    'changing the server configuration',
    'PUT',
    () => `/v2/alm/serverconfig?stack_id=${v2Stack}&data=delete`,
    () => ({ envvars: { A: '1' } }),
  ],
  [
    'changing the server configuration of a stack named in the body',
    'PUT',
    () => '/v2/alm/serverconfig?data=delete',
    () => ({ stack_id: v2Stack, envvars: { A: '1' } }),
  ],
  ['deleting a v2 stack', 'DELETE', () => `/v2/alm/stack/${v2Stack}?data=delete`],
];

describe.each(['reads only', 'denies updates and deletions'])('a role that %s', (kind) => {
  it.each(routes)('answers 403 to %s, and the stack stays', async (_, method, path, json) => {
    const body = json ? { json: json() } : {};
    const answer = await almanac.call(method, path(), { token: tokens[kind] ?? '', ...body });
    expect(answer.status).toBe(403);
    expect(answer.body).toMatchObject(forbidden);
    expect(await almanac.describe(v3Stack)).toMatchObject({
      stack_status: 'CREATE_COMPLETE',
      version_id: versionId,
    });
    expect((await v2.describe(v2Stack)).stack_status).toMatch(/^CREATE_/);
  });

  it('lets its user preview newer images', async () => {
    // The sandbox chooses no images: the request is permitted, and refused for that.
    const answer = await almanac.call('GET', `${v3()}/images`, { token: tokens[kind] ?? '' });
    expect(answer.status).toBe(400);
    expect(answer.body.message).toContain('chooses no machine images');
  });
});
