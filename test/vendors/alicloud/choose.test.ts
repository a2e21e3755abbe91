import { describe, expect, it } from 'vitest';
import type { Layer, StackModel } from '../../../src/model/stack-model.ts';
import { fixedServers, sampleDatabase, sampleGroup, sampleLayer, sampleModel } from '../sample-model.ts';
import { choicesOf, problemsOf, standing } from './choose-world.ts';
import { image, instanceType, offerFor, offerTime } from './offer.ts';

const region = 'ap-northeast-1';
const [zoneA, zoneB] = [`${region}a`, `${region}b`];
const withLayer = (changed: Partial<Layer>): StackModel => fixedServers(1, changed);
const layersOf = (...layers: Layer[]): StackModel => sampleModel({ layers });

describe('the choices for a new stack', () => {
  it('asks only for what the model may need', async () => {
    const asked: string[] = [];
    await choicesOf(sampleModel(), {}, { asked });
    expect(asked.toSorted()).toEqual(['instanceTypes', 'systemImage', 'systemImage', 'zones']);
  });

  it('takes the first default type that the zone sells, and the system image of its architecture', async () => {
    const { instanceTypes } = offerFor(sampleModel());
    const soldOut = instanceTypes.filter(({ name }) => name !== 'ecs.e-c1m2.large');
    const { servers } = await choicesOf(sampleModel(), { instanceTypes: soldOut });
    expect(servers['Web0']).toEqual({
      type: 'ecs.u1-c1m2.large',
      siblings: [],
      architecture: 'x86_64',
      image: 'aliyun_3_x64_20G_alibase_20260310.vhd',
      askedImage: '',
    });
    const arm = await choicesOf(withLayer({ instanceType: 'ecs.g8y.large' }));
    expect(arm.servers['Web0']?.image).toBe('aliyun_3_arm64_20G_alibase_20260910.vhd');
  });

  it('gives spot groups a second type of the same size, of those that the zones sell', async () => {
    const { servers } = await choicesOf(layersOf(sampleGroup(2, 50)));
    expect(servers['Web0']).toMatchObject({
      type: 'ecs.g7.large',
      siblings: ['ecs.g6.large', 'ecs.g8i.large'],
    });
    const offer = { instanceTypes: [instanceType('ecs.g7.large', [zoneA, zoneB])] };
    expect(await problemsOf(layersOf(sampleGroup(2, 50)), offer)).toEqual([
      {
        path: 'layers/0/capacity/spotPercent',
        message: expect.stringContaining('Spot servers need a second instance type'),
      },
    ]);
  });

  it('places the subnets of a group in different zones, and a layer where its type is sold', async () => {
    const group = sampleGroup(2, 0);
    const second = sampleLayer({
      flag: 'Second',
      subnet: { cidr: '10.0.1.0/24', public: true, assignPublicIp: true },
      capacity: { kind: 'shared', groupOf: 'Web0' },
    });
    expect((await choicesOf(layersOf(group, second))).places).toEqual({
      SubnetWeb0: zoneA,
      SubnetSecond: zoneB,
    });
    const offer = { instanceTypes: [instanceType('ecs.g7.large', [zoneB])] };
    const single = withLayer({ instanceType: 'ecs.g7.large' });
    expect((await choicesOf(single, offer)).places).toEqual({ SubnetWeb0: zoneB });
  });

  it('takes the certificate that is valid longest, also by a wildcard, and never an expired one', async () => {
    const listener = { protocol: 'https', certificateDomain: 'shop.example.com' } as const;
    const group = sampleGroup(1, 0);
    const balancer = group.loadBalancer!;
    const model = layersOf({
      ...group,
      loadBalancer: { ...balancer, listeners: [{ ...balancer.listeners[0]!, ...listener }] },
    });
    const certificate = (id: string, domain: string, ms: number) => ({
      id,
      domains: [domain],
      expiresAt: offerTime + ms,
    });
    const certificates = [
      certificate('expired', 'shop.example.com', -1),
      certificate('short', 'shop.example.com', 1),
      certificate('long', '*.example.com', 9),
      certificate('other', '*.shop.example.com', 99),
    ];
    expect((await choicesOf(model, { certificates })).certificates).toEqual({ 'shop.example.com': 'long' });
    const [problem] = await problemsOf(model, { certificates: certificates.slice(0, 1) });
    expect(problem).toMatchObject({
      path: 'layers/0/loadBalancer/listeners/0/certificateDomain',
      message: expect.stringContaining('no valid certificate for shop.example.com'),
    });
  });
});

describe('what the cloud does not offer', () => {
  it.each([
    ['a type of another cloud', { instanceType: 'm3.medium' }, 'instanceType', 'Use ecs.e-c1m2.large'],
    ['an unknown type', { instanceType: 'ecs.x.large' }, 'instanceType', 'There is no instance type'],
    ['an unknown zone', { zone: 'cn-hangzhou-h' }, 'zone', 'There is no zone cn-hangzhou-h'],
    ['an unknown image', { machineImage: 'ami-1' }, 'machineImage', 'There is no image ami-1'],
  ])('%s is refused where the model names it', async (_, changes, member, message) => {
    const offer = { zones: [zoneA, zoneB], images: [], instanceTypes: offerFor(sampleModel()).instanceTypes };
    const problems = await problemsOf(withLayer(changes), offer);
    expect(problems).toContainEqual({
      path: `layers/0/${member}`,
      message: expect.stringContaining(message),
    });
  });

  it('a type that is sold elsewhere is refused with the zones that sell it', async () => {
    const model = withLayer({ instanceType: 'ecs.g7.large', zone: zoneA });
    const offer = { instanceTypes: [instanceType('ecs.g7.large', [zoneB])] };
    expect((await problemsOf(model, offer))[0]?.message).toBe(
      `ecs.g7.large is not on sale in ${zoneA}, only in ${zoneB}. Use another type or zone.`,
    );
  });

  it('an image for other processors, a region without images and one without default types are refused', async () => {
    const arm = { images: [image('m-1', 'arm64')] };
    expect((await problemsOf(withLayer({ machineImage: 'm-1' }), arm))[0]?.message).toContain('is for arm64');
    expect((await problemsOf(sampleModel(), { systemImages: {} }))[0]?.message).toContain('Name an image.');
    expect((await problemsOf(sampleModel(), { instanceTypes: [] }))[0]?.message).toContain('sells none of');
  });

  it('a standby needs a second zone', async () => {
    const model = sampleModel({ databases: [sampleDatabase({ multiZone: true })] });
    const [problem] = await problemsOf(model, { zones: [zoneA] });
    expect(problem).toMatchObject({ path: 'databases/0/multiZone' });
  });

  it('a region is refused if not every service is there; SBCloud has one of its own', async () => {
    const model = sampleModel({ region: 'mars-1' });
    expect((await problemsOf(model))[0]).toMatchObject({ path: 'region' });
    const abroad = sampleModel({ region: 'eu-central-1' });
    expect((await problemsOf(abroad, {}, { cloud: 'sbcloud' }))[0]?.message).toContain(
      'Use one of ap-northeast-1.',
    );
    expect(await problemsOf(sampleModel(), {}, { cloud: 'sbcloud' })).toEqual([]);
  });
});

describe('the choices for the next version', () => {
  it('stay, although the cloud now has newer images, other zones and no stock', async () => {
    const model = sampleModel({ layers: [sampleGroup(2, 50)], databases: [sampleDatabase()] });
    const before = await standing(model);
    const offer = {
      zones: [zoneB, zoneA],
      instanceTypes: [],
      systemImages: { x86_64: image('newer') },
    };
    const after = await choicesOf(model, offer, { before });
    const { databases, ...rest } = before.choices;
    expect(after).toEqual({ ...rest, databases });
  });

  it('a database that has had replicas stays in the edition for them', async () => {
    const before = await standing(sampleModel({ databases: [sampleDatabase({ replicas: 1 })] }));
    const { databases } = await choicesOf(sampleModel({ databases: [sampleDatabase()] }), {}, { before });
    expect(databases['app']?.category).toBe('HighAvailability');
    expect((await choicesOf(sampleModel({ databases: [sampleDatabase()] }))).databases['app']?.category).toBe(
      'Basic',
    );
  });

  it('a group without a type that gets spot servers gets a type that has siblings', async () => {
    const before = await standing(layersOf(sampleGroup(2, 0)));
    expect(before.choices.servers['Web0']?.type).toBe('ecs.e-c1m2.large');
    const { servers } = await choicesOf(layersOf(sampleGroup(2, 50)), {}, { before });
    expect(servers['Web0']?.type).toBe('ecs.g7.large');
  });

  it('a named image that the cloud has retired stays, and another one must exist', async () => {
    const named = sampleModel({ layers: [sampleLayer({ machineImage: 'm-1' })] });
    const before = await standing(named);
    expect((await choicesOf(named, { images: [] }, { before })).servers['Web0']?.image).toBe('m-1');
    const other = sampleModel({ layers: [sampleLayer({ machineImage: 'm-2' })] });
    expect(await problemsOf(other, { images: [] }, { before })).toHaveLength(1);
  });

  it('a new type is checked, a new image is taken, and both leave the zone', async () => {
    const before = await standing(withLayer({ zone: zoneB }));
    const model = withLayer({ zone: zoneB, instanceType: 'ecs.g8y.large' });
    const { servers, places } = await choicesOf(model, {}, { before });
    expect(servers['Web0']?.image).toContain('arm64');
    expect(places).toEqual({ SubnetWeb0: zoneB });
  });
});
