import { afterAll, beforeAll, expect, it } from 'vitest';
import { Secret } from '../../src/basics/secret.ts';
import { listedRights } from '../../src/vendors/aws/permissions/calls.ts';
import { optionalFeatures } from '../../src/vendors/aws/permissions/features.ts';
import { keyPolicy, neededRights } from '../../src/vendors/aws/permissions/key-policy.ts';
import { domain } from './world/full-model.ts';
import { makeStacks, type Stacks } from './world/made-stacks.ts';
import { actionsIn, allows, forMoto, needsOf, overlayDriftReads, withoutAction } from './world/policy.ts';
import type { Call } from './world/read-call.ts';
import { describeOnOverlay, startOverlay } from './world/simulator.ts';
import { failureOf, type Step, steps } from './world/steps.ts';
import { givePolicy, makeUser } from './world/users.ts';
import { AwsWorld } from './world/world.ts';

const role = 'arn:aws:iam::123456789012:role/almanac-cloudformation';
const full = keyPolicy({ partition: 'aws', roleArn: role, features: optionalFeatures });
const minimal = keyPolicy({ partition: 'aws', roleArn: role, features: [] });

/**
 * Actions of calls that this suite need not make: they need a stack that fails or a queue (events.test.ts), or follow from
 * answers that moto does not give, such as versions of databases and regions to enable.
 */
const elsewhere = [
  'cloudformation:ContinueUpdateRollback',
  'ec2:DescribeRegions',
  'ec2:GetConsoleOutput',
  'rds:DescribeOrderableDBInstanceOptions',
  'sqs:DeleteMessage',
  'sqs:ReceiveMessage',
];

/** Actions that neither moto nor the overlay asks for. */
const neverAsked = [
  'iam:PassRole',
  's3:GetObject',
  's3:PutBucketPublicAccessBlock',
  's3:PutLifecycleConfiguration',
];

/**
 * Moto checks whether an action is allowed; the overlay adds ListStacks and the reads of drift checks. Both ignore
 * resources, conditions, iam:PassRole, and reading templates from S3 with the key. This suite checks resources and
 * iam:PassRole by our reading of AWS's documentation. Nothing checks conditions, or the permissions of the role.
 */
describeOnOverlay('the generated policies of a key (actions checked by moto with the overlay)', () => {
  let world: AwsWorld;
  let admin: AwsWorld;
  let key: Awaited<ReturnType<typeof makeUser>>;
  let stacks: Stacks;
  const callsOf = new Map<string, readonly Call[]>();
  beforeAll(async () => {
    const settings = { delaySeconds: 0, withPermissions: true, driftPermissions: true };
    world = await AwsWorld.start(startOverlay(settings));
    await world.cloud.issueCertificate(domain);
    key = await makeUser(world.cloud, 'almanac', forMoto(full));
    // The key of the overlay.
    admin = world.as({ credentialId: 'AKIAMOTO', secret: new Secret('x') });
    stacks = await makeStacks(admin);
  });
  afterAll(() => world.close());

  /** Runs a step with empty caches. Returns its failure, and the calls of the key. */
  async function run(step: Step) {
    const from = world.proxy.calls.length;
    const failure = await failureOf(step, { user: world.as({ ...key, role }), admin, stacks });
    const calls = world.proxy.calls.slice(from).filter((call) => call.key === key.credentialId);
    return { failure, calls, denied: calls.filter(({ status }) => status === 403 || status === 401) };
  }

  it('the full policy is sufficient for everything the driver does', async () => {
    for (const step of steps) {
      const { failure, calls, denied } = await run(step);
      callsOf.set(step.name, calls);
      expect({ step: step.name, failure, denied }).toEqual({ step: step.name, failure: '', denied: [] });
    }
    const missing = [...callsOf.values()]
      .flat()
      .flatMap(needsOf)
      .filter((need) => !allows(full, need));
    expect(missing).toEqual([]);
  });

  it('every call of the table is made here, or listed as made elsewhere', () => {
    const made = new Set(
      [...callsOf.values()]
        .flat()
        .flatMap(needsOf)
        .map(({ action }) => action),
    );
    const implied = [
      'cloudformation:DetectStackResourceDrift',
      'cloudformation:BatchDescribeTypeConfigurations',
    ];
    const expected = new Set([...elsewhere, ...implied, 's3:GetObject']);
    const unmade = listedRights()
      .map(({ action }) => action)
      .filter((action) => !made.has(action) && !expected.has(action));
    expect(unmade, 'add a step to test/aws/world/steps.ts').toEqual([]);
  });

  it('with the minimal policy the life cycle works, and each feature fails naming a permission it needs', async () => {
    await givePolicy(world.cloud, 'almanac', forMoto(minimal));
    for (const step of steps) {
      const { failure, denied } = await run(step);
      if (step.feature === 'stacks') {
        expect({ step: step.name, failure, denied }).toEqual({ step: step.name, failure: '', denied: [] });
        continue;
      }
      // Moto does not tell private keys from public images: both are parameters.
      if (step.feature === 'private-keys') continue;
      // A forecast is only part of a preview, which does without it.
      if (step.feature !== 'previews') expect(failure, step.name).not.toBe('');
      // Moto answers some services in XML, which the SDK cannot read: then only the response names the action.
      const said = [failure, ...denied.map(({ error }) => error)].join();
      const needed = neededRights([step.feature]).filter(({ feature }) => feature !== 'stacks');
      expect(
        needed.some(({ action }) => said.includes(action)),
        `${step.name}: ${said}`,
      ).toBe(true);
    }
  });

  it('without any one action of the full policy something is denied, where the simulator asks for the action', async () => {
    const unasked: string[] = [];
    for (const action of actionsIn(full)) if (!(await isAskedFor(action))) unasked.push(action);
    const reads = neededRights(optionalFeatures).filter(({ feature }) => feature === 'drift');
    const known = new Set([...elsewhere, ...neverAsked, ...reads.map(({ action }) => action)]);
    expect(unasked.filter((action) => !known.has(action))).toEqual([]);
    // The reads that the overlay knows are asked for.
    expect(unasked.filter((action) => overlayDriftReads.includes(action))).toEqual([]);
  });

  /** Whether the simulator denies a call that needs the action, or a drift check, without the action. */
  async function isAskedFor(action: string): Promise<boolean> {
    const isDriftRead = overlayDriftReads.includes(action);
    const call = callWith(action);
    if (neverAsked.includes(action) || (!call && !isDriftRead)) return false;
    await givePolicy(world.cloud, 'almanac', forMoto(withoutAction(full, action)));
    if (isDriftRead || !call) return (await saidByDrift()).includes(action.replace('*', ''));
    const { status, error = '' } = await world.proxy.replay(call);
    // S3 does not name the action.
    return status === 403 && (call.service === 's3' || error.includes(action));
  }

  async function saidByDrift(): Promise<string> {
    const step = steps.find(({ name }) => name === 'drift');
    if (!step) throw new Error('There is no step for drift.');
    const { failure, denied } = await run(step);
    return [failure, ...denied.map(({ error }) => error)].join();
  }

  /** A call that needs the action. It is enough to send it again: whole steps take minutes. */
  const callWith = (action: string): Call | undefined =>
    [...callsOf.values()].flat().find((call) => {
      const policy = { Version: '2012-10-17', Statement: [statementOf(action)] } as const;
      return needsOf(call).some((need) => allows(policy, need));
    });

  const statementOf = (action: string) =>
    ({ Sid: '', Effect: 'Allow', Action: action, Resource: '*' }) as const;
});
