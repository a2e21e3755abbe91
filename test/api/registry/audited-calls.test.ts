import { expect, it } from 'vitest';
import { AccessCaller } from '../access/access-caller.ts';
import { type Json, useServedAlmanac } from '../served-almanac.ts';

const caller = new AccessCaller(useServedAlmanac());
const digest = `sha256:${'a'.repeat(64)}`;

it.each([
  ['DELETE', 'image', 'ann/shop:1.4', 'mrn:registry:ann/shop:1.4'],
  ['DELETE', 'image', `ann/shop@${digest}`, `mrn:registry:ann/shop@${digest}`],
  ['PUT', 'visibility', 'ann/shop', 'mrn:registry:ann/shop'],
  ['PUT', 'description', 'ann/shop', 'mrn:registry:ann/shop'],
  ['PUT', 'description', 'a text with spaces', '/v3/alm/registry/description'],
  ['PUT', 'description', 'ann/shop:1:2', '/v3/alm/registry/description'],
])('%s %s of %s is in the audit log as a call about %s', async (method, path, image_id, resource) => {
  const query = new URLSearchParams({ image_id, visibility: 'public', description: 'x' });
  if (path !== 'visibility') query.delete('visibility');
  if (path !== 'description') query.delete('description');
  const id = `${path}-${image_id.length}`;
  await caller.call(method, `/v3/alm/registry/${path}?${query.toString()}`, {
    headers: { 'x-request-id': id },
  });
  const { body } = await caller.call<Json[]>('GET', '/v3/audit?limit=1000');
  expect(body.find(({ request_id }) => request_id === id)).toMatchObject({ resource });
});
