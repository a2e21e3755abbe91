import { describe, expect, it } from 'vitest';
import type { Layer, StackModel } from '../../../../src/model/stack-model.ts';
import type { Choices } from '../../../../src/vendors/aws/choices.ts';
import { chooseFor } from '../../../../src/vendors/aws/choose.ts';
import type { AwsDocument } from '../../../../src/vendors/aws/document.ts';
import { layerSubnets } from '../../../../src/vendors/aws/layout/placement.ts';
import { Unreachable } from '../../../../src/vendors/vendor.ts';
import { sampleGroup, sampleLayer, sampleModel } from '../../sample-model.ts';
import { type CannedWorld, cannedRegion, cannedWorld } from '../canned-clients.ts';
import { awsError } from '../canned-groups.ts';

const zones = ['ap-northeast-1a', 'ap-northeast-1c', 'ap-northeast-1d'];
const [a = '', c = '', d = ''] = zones;
const image = (architecture: string): string =>
  `/aws/service/ami-amazon-linux-latest/al2023-ami-kernel-default-${architecture}`;

const offers = (): CannedWorld =>
  cannedWorld({
    zones: zones.toReversed(),
    types: {
      't3.micro': { runs: ['x86_64'], zones },
      'm5.large': { runs: ['x86_64'], zones: [c, d] },
      'm5a.large': { runs: ['x86_64'], zones: [c] },
      'm6i.large': { runs: ['x86_64'], zones: [d] },
      'm6g.large': { runs: ['arm64'], zones },
    },
    parameters: { [image('x86_64')]: 'ami-x1', [image('arm64')]: 'ami-a1' },
    images: [
      { ImageId: 'ami-x1', Architecture: 'x86_64', RootDeviceName: '/dev/xvda' },
      { ImageId: 'ami-a1', Architecture: 'arm64', RootDeviceName: '/dev/xvda' },
      { ImageId: 'ami-own', Architecture: 'arm64', RootDeviceName: '/dev/sda1' },
    ],
    certificates: [
      { CertificateArn: 'arn:wild', DomainName: '*.example.com', NotAfter: new Date('2032-01-01') },
      { CertificateArn: 'arn:old', DomainName: 'www.example.com', NotAfter: new Date('2030-06-01') },
      { CertificateArn: 'arn:www', DomainName: 'www.example.com', NotAfter: new Date('2031-01-01') },
    ],
  });

const secure = (domain: string): Layer => {
  const group = sampleGroup(1, 50);
  const listener = { port: 443, protocol: 'https', instancePort: 80, instanceProtocol: 'http' } as const;
  const listeners = [{ ...listener, certificateDomain: domain }];
  return { ...group, instanceType: 'm5.large', loadBalancer: { ...group.loadBalancer!, listeners } };
};
const second = (changes: Partial<Layer>): Layer =>
  sampleLayer({
    flag: 'Api',
    subnet: { cidr: '10.0.1.0/24', public: true, assignPublicIp: true },
    ...changes,
  });
const model = (...layers: Layer[]): StackModel => sampleModel({ layers });

async function choices(
  world: CannedWorld,
  stackModel: StackModel,
  before: AwsDocument | null = null,
): Promise<Choices> {
  const outcome = await chooseFor(cannedRegion(world), stackModel, before);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.problems));
  return outcome.value;
}

/** The document of an earlier version with these choices. */
const previous = (stackModel: StackModel, chosen: Choices): AwsDocument => {
  const subnets = stackModel.layers
    .flatMap((layer) => layerSubnets(layer, chosen))
    .map(({ id, zone, cidr }) => [
      id,
      { Type: 'AWS::EC2::Subnet', Properties: { AvailabilityZone: zone, CidrBlock: cidr } },
    ]);
  const vpc = { Type: 'AWS::EC2::VPC', Properties: { CidrBlock: stackModel.networkCidr } };
  const Resources = { VPC: vpc, ...Object.fromEntries(subnets) };
  const template = {
    AWSTemplateFormatVersion: '2010-09-09',
    Description: '',
    Parameters: {},
    Outputs: {},
    Resources,
  };
  return { template: template as AwsDocument['template'], choices: chosen };
};

const both = model(secure('www.example.com'), second({ instanceType: 'm6g.large' }));

describe('choosing what a model leaves open', () => {
  it('chooses zones that offer the types, matching images, equivalent types, and certificates', async () => {
    expect(await choices(offers(), both)).toMatchObject({
      zones: [c, d, a],
      images: {
        Web0: { id: 'ami-x1', architecture: 'x86_64' },
        Api: { id: 'ami-a1', architecture: 'arm64' },
      },
      architectures: { 'm5.large': 'x86_64', 'm6g.large': 'arm64' },
      siblings: { 'm5.large': ['m5a.large'] },
      certificates: { 'www.example.com': 'arn:www' },
    });
    const api = await choices(offers(), model(secure('API.example.com')));
    expect(api.certificates).toEqual({ 'API.example.com': 'arn:wild' });
  });

  it('keeps all choices if nothing new is open, and asks only whether the certificate is still valid', async () => {
    const chosen = await choices(offers(), both);
    const later = offers();
    later.parameters[image('x86_64')] = 'ami-x2';
    expect(await choices(later, both, previous(both, chosen))).toEqual(chosen);
    expect(later.calls).toEqual(['listCertificates']);
    const plain = model(second({ instanceType: 'm6g.large' }));
    const quiet = offers();
    await choices(quiet, plain, previous(plain, await choices(offers(), plain)));
    expect(quiet.calls).toEqual([]);
  });

  it('chooses a new image only for a layer whose servers cannot run the old one', async () => {
    const before = previous(both, await choices(offers(), both));
    const later = offers();
    later.parameters = { [image('x86_64')]: 'ami-x2', [image('arm64')]: 'ami-a2' };
    const changed = model(
      { ...secure('www.example.com'), instanceType: 'm6g.large' },
      second({ instanceType: 'm6g.large' }),
    );
    const { images } = await choices(later, changed, before);
    expect(images).toEqual({
      Web0: { id: 'ami-a2', architecture: 'arm64' },
      Api: { id: 'ami-a1', architecture: 'arm64' },
    });
  });

  it('makes each call once for many stacks of a region', async () => {
    const world = offers();
    const region = cannedRegion(world);
    await Promise.all([1, 2, 3].map(() => chooseFor(region, model(sampleLayer()), null)));
    expect(world.calls).toHaveLength(5);
  });

  it('reads the root device of named images, once for each image', async () => {
    const own = model(sampleLayer({ machineImage: 'ami-own', instanceType: 'm6g.large' }));
    const chosen = await choices(offers(), own);
    expect(chosen.machineImages).toEqual({ 'ami-own': { architecture: 'arm64', rootDevice: '/dev/sda1' } });
    const later = offers();
    later.images = [];
    expect(await choices(later, own, previous(own, chosen))).toEqual(chosen);
    const { machineImages: _, ...old } = chosen;
    await choices(later, model(sampleLayer()), previous(own, old as Choices));
    expect(later.calls.filter((operation) => operation === 'describeImages')).toHaveLength(1);
  });

  it('rejects an unknown image and an image for another architecture', async () => {
    const requested = model(
      sampleLayer({ machineImage: 'ami-own' }),
      second({ machineImage: 'ami-none', instanceType: 'm6g.large' }),
    );
    expect(await chooseFor(cannedRegion(offers()), requested, null)).toMatchObject({
      ok: false,
      problems: [
        { path: 'layers/0/machineImage', message: expect.stringContaining('arm64') },
        {
          path: 'layers/1/machineImage',
          message: expect.stringContaining('Machine image ami-none not found'),
        },
      ],
    });
  });

  it('makes no calls for an unknown region', async () => {
    const world = offers();
    const outcome = await chooseFor(cannedRegion(world), { ...both, region: 'moon-1' }, null);
    expect(outcome).toMatchObject({ ok: false, problems: [{ path: 'region' }] });
    expect(world.calls).toEqual([]);
  });

  it('rejects a model that moves an existing subnet', async () => {
    const before = previous(both, await choices(offers(), both));
    const moved = model({ ...secure('www.example.com'), zone: d }, second({ instanceType: 'm6g.large' }));
    const outcome = await chooseFor(cannedRegion(offers()), moved, before);
    expect(outcome).toMatchObject({ ok: false, problems: [{ path: 'layers/0/zone' }] });
  });

  it('reports everything the cloud does not offer, each with its path', async () => {
    const requested = model(
      secure('shop.elsewhere.com'),
      second({ instanceType: 'm5.huge', zone: 'ap-northeast-1z' }),
      second({ flag: 'Db', instanceType: 'm5.large', zone: a }),
    );
    const outcome = await chooseFor(cannedRegion(offers()), requested, null);
    const paths = outcome.ok ? [] : outcome.problems.map(({ path }) => path);
    expect(paths).toEqual([
      'layers/1/instanceType',
      'layers/1/zone',
      'layers/2/instanceType',
      'layers/0/loadBalancer/listeners/0/certificateDomain',
    ]);
    expect(JSON.stringify(outcome)).toContain(`but in ${c}, ${d}`);
  });

  it('reports a rejected key as a problem, and throws Unreachable in an outage', async () => {
    const refusals = {
      describeInstanceTypes: awsError('UnauthorizedOperation', 'ec2:DescribeInstanceTypes', 403),
    };
    const outcome = await chooseFor(cannedRegion({ ...offers(), refusals }), both, null);
    expect(outcome).toMatchObject({ ok: false, problems: [{ path: 'vendor' }] });
    const outage = { describeInstanceTypes: awsError('ServiceUnavailable', 'Try later', 503) };
    const choosing = chooseFor(cannedRegion({ ...offers(), refusals: outage }), both, null);
    await expect(choosing).rejects.toThrow(Unreachable);
  });
});
