import { afterAll, beforeAll, expect, it } from 'vitest';
import type { StackModel } from '../../src/model/stack-model.ts';
import type { AwsDocument } from '../../src/vendors/aws/document.ts';
import { sampleGroup, sampleLayer, sampleModel } from '../vendors/sample-model.ts';
import { describeOnOverlay, startOverlay } from './world/simulator.ts';
import { AwsWorld, agentToken, newStack } from './world/world.ts';

const lone = sampleLayer({
  flag: 'Lone',
  subnet: { cidr: '10.0.5.0/24', public: true, assignPublicIp: true },
});
const modelWith = (tags: Record<string, string>): StackModel =>
  sampleModel({
    layers: [sampleGroup(1, 0), lone],
    caches: [{ name: 'main', engine: 'redis', nodeType: 'cache.t4g.micro', nodes: 1 }],
    tags,
  });

/** The document of a stack that was created when this image was the newest. */
const withOlderImage = (document: AwsDocument, older: string): AwsDocument => {
  const newest = document.choices.images['Lone']?.id ?? '';
  return JSON.parse(JSON.stringify(document).replaceAll(newest, older)) as AwsDocument;
};

describeOnOverlay('the instances of a stack (moto with the overlay)', () => {
  let world: AwsWorld;
  const stack = newStack();
  beforeAll(async () => {
    world = await AwsWorld.start(startOverlay({ delaySeconds: 0 }));
  });
  afterAll(() => world.close());

  const settle = async (document: AwsDocument, version: string) => {
    expect(await world.driver.apply(stack, { document, version, agentToken })).toEqual({ accepted: true });
    await world.passAll();
    expect(await world.driver.observe(stack)).toMatchObject({ kind: 'settled', version });
  };
  const compiled = async (tags: Record<string, string>) =>
    (await world.compiled(stack, modelWith(tags))) as AwsDocument;
  const loneServer = async () =>
    (await world.cloud.instances()).find(({ Tags = [] }) => Tags.some(({ Value }) => Value === 'Lone'));
  const tagsOf = (tags: { Key?: string | undefined; Value?: string | undefined }[] = []) =>
    Object.fromEntries(tags.map(({ Key = '', Value }) => [Key, Value]));
  const launchTemplate = async () => {
    const { LaunchTemplates = [] } = await world.cloud.ec2.describeLaunchTemplates({});
    const { LaunchTemplateVersions = [] } = await world.cloud.ec2.describeLaunchTemplateVersions({
      LaunchTemplateId: LaunchTemplates[0]?.LaunchTemplateId,
      Versions: ['$Latest'],
    });
    return LaunchTemplateVersions[0]?.LaunchTemplateData;
  };

  it('have the tags of the user, keep their role from containers, and reach the cache by their security group', async () => {
    await settle(withOlderImage(await compiled({ team: 'shop' }), 'ami-03cf127a'), 'v1');
    const server = await loneServer();
    expect(server?.MetadataOptions).toMatchObject({ HttpTokens: 'required', HttpPutResponseHopLimit: 1 });
    expect(tagsOf(server?.Tags)).toMatchObject({ team: 'shop', 'almanac:flag': 'Lone' });
    const data = await launchTemplate();
    expect(data?.MetadataOptions).toMatchObject({
      HttpPutResponseHopLimit: 1,
      InstanceMetadataTags: 'enabled',
    });
    for (const { Tags } of data?.TagSpecifications ?? [])
      expect(tagsOf(Tags)).toMatchObject({ team: 'shop' });
    const { SecurityGroups = [] } = await world.cloud.ec2.describeSecurityGroups({});
    const groupOf = (description: string) =>
      SecurityGroups.find(({ Description }) => Description === description);
    const [rule] = groupOf('Cache main')?.IpPermissions ?? [];
    const sources = ['Servers of layer Web0', 'Servers of layer Lone'].map(
      (name) => groupOf(name)?.GroupId ?? '',
    );
    expect(rule).toMatchObject({ FromPort: 6379, IpRanges: [] });
    expect(rule?.UserIdGroupPairs?.map(({ GroupId = '' }) => GroupId).toSorted()).toEqual(sources.toSorted());
    const { Vpcs = [] } = await world.cloud.ec2.describeVpcs({
      Filters: [{ Name: 'tag:team', Values: ['shop'] }],
    });
    expect(Vpcs).toHaveLength(1);
  });

  it('keep running when tags change', async () => {
    const before = (await loneServer())?.InstanceId;
    await settle(withOlderImage(await compiled({ team: 'store' }), 'ami-03cf127a'), 'v2');
    const server = await loneServer();
    expect(server?.InstanceId).toBe(before);
    expect(tagsOf(server?.Tags)).toMatchObject({ team: 'store' });
  });

  it('get the newest image when the choice is forgotten: a preview names it, groups get a new launch template', async () => {
    const { vendor, access, driver } = world;
    const before = withOlderImage(await compiled({ team: 'store' }), 'ami-03cf127a');
    const model = modelWith({ team: 'store' });
    const again = await vendor.choose?.(access, model, vendor.images?.forget(before) ?? null);
    if (!again?.ok) throw new Error(JSON.stringify(again));
    const outcome = vendor.compile(model, stack.id, again.value);
    if (!outcome.ok) throw new Error(JSON.stringify(outcome.problems));
    const after = outcome.value as AwsDocument;
    const newest = vendor.images?.read(after)['Lone'];
    expect(newest).not.toBe('ami-03cf127a');
    const old = (await loneServer())?.InstanceId;
    expect(await driver.forecast?.(stack, after)).toContainEqual(
      expect.objectContaining({ action: 'replace', resourceType: 'AWS::EC2::Instance' }),
    );
    await settle(after, 'v3');
    const server = await loneServer();
    expect(server?.ImageId).toBe(newest);
    expect(server?.InstanceId).not.toBe(old);
    expect((await launchTemplate())?.ImageId).toBe(newest);
  });
});
