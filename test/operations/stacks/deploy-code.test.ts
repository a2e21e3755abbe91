import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readAgentConfig } from '../../../src/operations/agents/agent-config.ts';
import { deployCode } from '../../../src/operations/stacks/change/server-config.ts';
import { describeStack, readEvents } from '../../../src/operations/stacks/read/describe-stack.ts';
import {
  applyConfiguration,
  updateConfiguration,
} from '../../../src/operations/stacks/submit/apply-configuration.ts';
import { stackActor } from '../../actors.ts';
import { World } from '../../world.ts';

let world: World;
let stack: string;
beforeEach(async () => {
  world = await World.open();
  const configurations = { architecture: 'art_elb', type: 't2.micro', image: 'web', code: 'first.git' };
  const request = { vendor: 'aws', credentialId: 'SANDBOX', region: 'ap-northeast-1', configurations };
  stack = (await applyConfiguration(world.service, world.actor, request)).stackId;
  await world.settle();
});
afterEach(() => world.close());

const agent = () => stackActor(world.actor.accountId, stack);
const updated = async () =>
  (await readAgentConfig(world.service, agent(), { stackId: stack, flag: '' }))?.updated ?? 0;
const versionNow = async () =>
  (await describeStack(world.service, world.actor, { stackId: stack, language: 'v2' })).versionId;
const lastEvent = async () =>
  (
    await readEvents(world.service, world.actor, { stackId: stack, language: 'v2', after: 0, limit: 1000 })
  ).at(-1);
const deploy = (fields: object) => deployCode(world.service, world.actor, { stackId: stack, fields });

describe('deploying code', () => {
  it.each([
    ['new code', { method: 'git_public', filepath: 'second.git' }],
    ['the same code, named again', { method: 'git', filepath: 'first.git' }],
    ['the code it has, fetched again', { method: 'git' }],
    ['code from an object store', { method: 's3', filepath: 'bucket/site.zip' }],
  ])('%s: the agents redeploy once', async (_, fields) => {
    // After this, the revision is ahead of the clock, so that each redeployment adds exactly one.
    await deploy({ method: 'git' });
    const before = await updated();
    await deploy(fields);
    expect(await updated()).toBe(before + 1);
  });

  it('adds an event with the new version, and notifies listeners', async () => {
    const notified: string[] = [];
    world.database.listen('stack-event', (id) => notified.push(id));
    const before = await versionNow();
    const { versionId } = await deploy({ method: 'git_public', filepath: 'second.git' });
    expect(versionId).not.toBe(before);
    expect(await versionNow()).toBe(versionId);
    expect(await lastEvent()).toMatchObject({
      kind: 'request',
      message: 'root asked to deploy code.',
      version_id: versionId,
    });
    await expect.poll(() => notified).toContain(stack);
  });

  it('of the same code makes no version, but adds an event and notifies listeners', async () => {
    const notified: string[] = [];
    world.database.listen('stack-event', (id) => notified.push(id));
    const before = await versionNow();
    expect((await deploy({ method: 'git' })).versionId).toBe(before);
    expect(await lastEvent()).toMatchObject({ message: 'root asked to deploy code.', version_id: before });
    await expect.poll(() => notified).toContain(stack);
  });

  it('concurrently with an update loses neither', async () => {
    await Promise.all([
      deploy({ method: 'git_public', filepath: 'second.git' }),
      updateConfiguration(world.service, world.actor, { stackId: stack, configurations: { max: 7 } }),
      deploy({ method: 'git', branch: 'v2' }),
    ]);
    const { document } = await describeStack(world.service, world.actor, { stackId: stack, language: 'v2' });
    expect(document).toMatchObject({ configuration: { code: 'second.git', max: '7', gitReference: 'v2' } });
  });
});
