import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { cloudStackName } from '../../src/vendors/aws/names.ts';
import { CredentialRejected } from '../../src/vendors/vendor.ts';
import { eventually } from '../http.ts';
import { fixedServers, sampleLayer, sampleModel } from '../vendors/sample-model.ts';
import { overlayFaults } from './world/overlay-faults.ts';
import { describeOnOverlay, startOverlay } from './world/simulator.ts';
import { AwsWorld, agentToken, newStack } from './world/world.ts';

const port = (number: number) => ({
  ingress: [{ protocol: 'tcp' as const, fromPort: number, toPort: number, cidr: '0.0.0.0/0' }],
  egress: [],
});
const before = fixedServers(1, { securityGroup: port(80) });
/** Changes the security group, then adds a layer. */
const after = sampleModel({
  layers: [
    sampleLayer({ securityGroup: port(81) }),
    sampleLayer({ flag: 'Api0', subnet: { cidr: '10.0.1.0/24', public: true, assignPublicIp: true } }),
  ],
});

describeOnOverlay('failure states of AWS (on moto with the overlay and its faults)', () => {
  let world: AwsWorld;
  let faults: ReturnType<typeof overlayFaults>;
  beforeAll(async () => {
    world = await AwsWorld.start(startOverlay({ delaySeconds: 0.01 }));
    faults = overlayFaults(world.cloud.url);
  });
  afterAll(() => world.close());
  afterEach(() => faults.clear());

  const statusOf = async (stackId: string) => {
    const { Stacks } = await world.cloud.cloudFormation.describeStacks({
      StackName: cloudStackName(stackId),
    });
    return Stacks?.[0]?.StackStatus;
  };

  const created = async () => {
    const stack = world.on(newStack());
    await stack.apply(before, 'v1');
    await world.passAll();
    return stack;
  };

  /** What is observed once so many resources are undone. */
  const untilUndone = (stack: ReturnType<typeof world.on>, done: number) =>
    eventually(
      () => {
        world.clock.advance(60_000);
        return stack.observe();
      },
      (seen) => seen.kind === 'busy' && (seen.undoing?.progress?.done ?? 0) >= done,
    );

  /** A stack whose update failed, and whose security group could not be changed back. */
  const halfUndone = async () => {
    const stack = await created();
    await faults.inject([
      {
        on: 'resource',
        phase: 'create',
        logical: '^Instance0OfApi0$',
        message: 'no capacity',
      },
      { on: 'resource', phase: 'undo', logical: '^SecurityGroupWeb0$', message: 'the rule is in use' },
    ]);
    await stack.apply(after, 'v2');
    await world.passAll();
    return stack;
  };

  it('a creation and an update that are undone say so while it happens, with the cause, how far it is, and their events', async () => {
    await faults.inject([
      { on: 'resource', phase: 'create', logical: '^Instance0Of', message: 'no capacity', times: 1 },
      { on: 'resource', phase: 'delete', logical: '^VPC$', sleep: 3, times: 1 },
    ]);
    const failing = world.on(newStack());
    await failing.apply(before, 'v1');
    expect(await untilUndone(failing, 3)).toMatchObject({
      version: 'v1',
      undoing: { cause: 'Instance0OfWeb0 (AWS::EC2::Instance): no capacity' },
      view: { events: expect.arrayContaining([expect.objectContaining({ state: 'CREATE_FAILED' })]) },
    });
    await world.passAll();
    expect(await failing.observe()).toMatchObject({ kind: 'broken', version: 'v1' });

    const stack = await created();
    await faults.inject([
      { on: 'resource', phase: 'create', logical: '^Instance0OfApi0$', message: 'no capacity', times: 1 },
      { on: 'resource', phase: 'cleanup', logical: '^SubnetApi0$', sleep: 3, times: 1 },
    ]);
    await stack.apply(after, 'v2');
    expect(await untilUndone(stack, 1)).toMatchObject({
      version: 'v2',
      undoing: { cause: 'Instance0OfApi0 (AWS::EC2::Instance): no capacity' },
    });
    await world.passAll();
    const seen = await stack.observe();
    expect(seen).toMatchObject({ kind: 'broken', version: 'v2' });
    expect(seen).not.toHaveProperty('undoing');
  });

  it('an update that cannot be undone says so, why, and how to skip exactly the resources that failed', async () => {
    const stack = await halfUndone();
    expect(await statusOf(stack.stack.id)).toBe('UPDATE_ROLLBACK_FAILED');
    const seen = await stack.observe();
    expect(seen).toMatchObject({ kind: 'broken', doing: 'apply', version: 'v2', blocked: true });
    const reason = seen.kind === 'broken' ? seen.reason : '';
    expect(reason).toContain('The update failed: Instance0OfApi0 (AWS::EC2::Instance): no capacity');
    expect(reason).toContain(
      'Undoing it failed too: SecurityGroupWeb0 (AWS::EC2::SecurityGroup): the rule is in use',
    );
    expect(reason).toMatch(/alm stack rollback \S+ --ver <version> --skip-resources SecurityGroupWeb0$/);
  });

  it('an update after an undoing that failed retries the undoing, and never skips anything by itself', async () => {
    const stack = await halfUndone();
    await stack.apply(before, 'v3');
    await world.passAll();
    expect(await statusOf(stack.stack.id)).toBe('UPDATE_ROLLBACK_FAILED');
    await faults.clear();
    await stack.apply(before, 'v3');
    await world.passAll();
    expect(await statusOf(stack.stack.id)).toBe('UPDATE_ROLLBACK_COMPLETE');
    await stack.apply(before, 'v3');
    await world.passAll();
    expect(await stack.observe()).toMatchObject({ kind: 'settled', version: 'v3' });
  });

  it('skipping the resources that a caller named ends the undoing, and the stack can be updated', async () => {
    const stack = await halfUndone();
    const document = await world.compiled(stack.stack, before);
    const skip = (skipResources: string[]) =>
      world.driver.apply(stack.stack, { document, version: 'v3', agentToken, skipResources });
    expect(await skip(['VPC'])).toMatchObject({
      accepted: false,
      reason: expect.stringContaining('VPC'),
    });
    expect(await skip(['SecurityGroupWeb0'])).toEqual({ accepted: true });
    await world.passAll();
    expect(await statusOf(stack.stack.id)).toBe('UPDATE_ROLLBACK_COMPLETE');
    await stack.apply(before, 'v3');
    await world.passAll();
    expect(await stack.observe()).toMatchObject({ kind: 'settled', version: 'v3' });
  });

  it('a version applied after a failed deletion finishes the deletion, then creates the stack again', async () => {
    const stack = await created();
    await faults.inject([{ on: 'resource', phase: 'delete', logical: '^VPC$', message: 'in use', times: 1 }]);
    await stack.remove();
    await world.passAll();
    expect(await stack.observe()).toMatchObject({ kind: 'broken', doing: 'remove', blocked: true });
    expect(await stack.apply(before, 'v2')).toEqual({ accepted: true });
    await world.passAll();
    expect((await stack.observe()).kind).toBe('absent');
    await stack.apply(before, 'v2');
    await world.passAll();
    expect(await stack.observe()).toMatchObject({ kind: 'settled', version: 'v2' });
  });

  it('a version is refused, with what is left, if someone else deleted the stack in part', async () => {
    const stack = await created();
    const StackName = cloudStackName(stack.stack.id);
    await faults.inject([{ on: 'resource', phase: 'delete', logical: '^VPC$', message: 'in use', times: 1 }]);
    await world.cloud.cloudFormation.deleteStack({ StackName });
    await world.passAll();
    expect(await stack.apply(before, 'v2')).toMatchObject({
      accepted: false,
      reason: expect.stringMatching(/outside Almanac.* VPC \(AWS::EC2::VPC\): in use.*Delete the stack/),
    });
    expect(await statusOf(stack.stack.id)).toBe('DELETE_FAILED');
  });

  it('an update creates a server again that was terminated outside Almanac, keeps the others, and says so', async () => {
    const stack = world.on(newStack());
    await stack.apply(fixedServers(2), 'v1');
    await world.passAll();
    const [lost, kept] = (await stack.view()).instances.map(({ id }) => id);
    await world.cloud.ec2.terminateInstances({ InstanceIds: [lost ?? ''] });
    await world.passMoment();
    expect(await stack.apply(fixedServers(2), 'v2')).toMatchObject({
      accepted: true,
      note: expect.stringMatching(/created again: Instance\dOfWeb0\./),
    });
    await world.passAll();
    // Not the version yet: the reconciler applies it again.
    expect(await stack.observe()).toMatchObject({ kind: 'settled', version: 'v2/recreating' });
    expect(await stack.apply(fixedServers(2), 'v2')).toEqual({ accepted: true });
    await world.passAll();
    expect(await stack.observe()).toMatchObject({ kind: 'settled', version: 'v2' });
    const running = (await stack.view()).instances.filter(({ state }) => state === 'running');
    expect(running).toHaveLength(2);
    expect(running.map(({ id }) => id)).toContain(kept);
  });

  it.each(['expired', 'invalid-key'])(
    'a change with a key that AWS rejects (%s) starts nothing, and succeeds once the key is valid',
    async (answer) => {
      const stack = await created();
      await faults.inject([{ on: 'call', action: 'cloudformation:UpdateStack', answer }]);
      await expect(stack.apply(after, 'v2')).rejects.toThrow(CredentialRejected);
      await expect(stack.apply(after, 'v2')).rejects.toThrow(/key under the same id/);
      expect(await statusOf(stack.stack.id)).toBe('CREATE_COMPLETE');
      await faults.clear();
      expect(await stack.apply(after, 'v2')).toEqual({ accepted: true });
      await world.passAll();
      expect(await stack.observe()).toMatchObject({ kind: 'settled', version: 'v2' });
    },
  );
});
