import { beforeAll, describe, expect, it } from 'vitest';
import { findVersion } from '../../../../src/store/stacks/versions.ts';
import { oneServer } from '../../../world.ts';
import { type Request, useServedAlmanac } from '../../served-almanac.ts';
import { canSkipResources } from '../../stand-in-skipping.ts';

const almanac = useServedAlmanac();
let token: string;
beforeAll(async () => {
  token = await almanac.userToken();
});

const created = async () => {
  const stackId = await almanac.applyTemplate(oneServer(1));
  return { stackId, version_id: String((await almanac.waitFor(stackId, 'CREATE_COMPLETE')).version_id) };
};
const fault = (json: object) => almanac.call('POST', '/v3/sandbox/fault', { token, json });
/** A stack whose last update failed. */
const failed = async () => {
  const stack = await created();
  await fault({ kind: 'fail_resource', position: 1, stack_id: stack.stackId });
  await almanac.call('PUT', `/v3/alm/template/${stack.stackId}`, { token, json: oneServer(2) });
  await almanac.waitFor(stack.stackId, 'UPDATE_FAILED');
  await fault({ kind: 'clear', stack_id: stack.stackId });
  return stack;
};
const rollBack = (stackId: string, request: Request) =>
  almanac.call('POST', `/v3/alm/stack/${stackId}/rollback`, { token, ...request });

it('skip_resources answers 400 on a vendor that can undo every update, and changes nothing', async () => {
  const { stackId, version_id } = await failed();
  const answer = await rollBack(stackId, { json: { version_id, skip_resources: ['SubnetWeb0'] } });
  expect(answer.status).toBe(400);
  expect(answer.body.message).toContain('cannot skip resources');
  expect((await almanac.describe(stackId)).stack_status).toBe('UPDATE_FAILED');
});

describe('skip_resources on a vendor that skips (the sandbox with a stand-in that accepts the list)', () => {
  beforeAll(() => canSkipResources(almanac.service));
  const skip_resources = ['SubnetWeb0', 'VPC'];

  it('a rollback after a failed update stores them for the vendor, and names them in the events', async () => {
    const { stackId, version_id } = await failed();
    const answer = await rollBack(stackId, { json: { version_id, skip_resources } });
    expect(answer.status).toBe(202);
    const { query } = almanac.service.database;
    const version = await findVersion(query, stackId, String(answer.body.version_id));
    expect(version?.skip_resources).toEqual(skip_resources);
    const events = await almanac.call('GET', `/v3/alm/stack/${stackId}/events`, { token });
    expect(events.text).toContain('skipping SubnetWeb0, VPC');
  });

  it('answers 409 if no update failed, with the way to roll back', async () => {
    const { stackId, version_id } = await created();
    const answer = await rollBack(stackId, { json: { version_id, skip_resources } });
    expect(answer.status).toBe(409);
    expect(answer.text).toContain('Roll back without skip_resources');
  });

  it('answers 400 for names that no resource can have', async () => {
    const { stackId, version_id } = await created();
    for (const name of ['', 'a b', '../x', 'ü']) {
      const answer = await rollBack(stackId, { json: { version_id, skip_resources: [name] } });
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ problems: [{ path: 'skip_resources/0' }] });
    }
  });
});
