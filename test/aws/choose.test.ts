import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StackModel } from '../../src/model/stack-model.ts';
import type { Choices } from '../../src/vendors/aws/choices.ts';
import type { AwsDocument } from '../../src/vendors/aws/document.ts';
import { fixedServers, sampleGroup, sampleLayer, sampleModel } from '../vendors/sample-model.ts';
import { startMoto } from './world/simulator.ts';
import { AwsWorld } from './world/world.ts';

describe('choices of the AWS vendor (on stock moto, which has the real images, types and zones)', () => {
  let world: AwsWorld;
  beforeAll(async () => {
    world = await AwsWorld.start(startMoto());
  });
  afterAll(() => world.close());

  const choose = async (model: StackModel, before: AwsDocument | null = null) => {
    const chosen = await world.vendor.choose?.(world.access, model, before);
    if (!chosen) throw new Error('The vendor has no choices.');
    return chosen;
  };
  const chosen = async (model: StackModel): Promise<Choices> => {
    const outcome = await choose(model);
    if (!outcome.ok) throw new Error(JSON.stringify(outcome.problems));
    return outcome.value as Choices;
  };
  const withType = (instanceType: string) => fixedServers(1, { instanceType });

  it('contain all zones of the region', async () => {
    const { AvailabilityZones = [] } = await world.cloud.ec2.describeAvailabilityZones({});
    const { zones } = await chosen(fixedServers(1));
    expect(zones.toSorted()).toEqual(AvailabilityZones.map(({ ZoneName = '' }) => ZoneName).toSorted());
  });

  it('contain the image AWS publishes for the architecture of the type', async () => {
    for (const [type, architecture] of [
      ['t3.micro', 'x86_64'],
      ['t4g.micro', 'arm64'],
    ] as const) {
      const { Parameter } = await world.cloud.ssm.getParameter({
        Name: `/aws/service/ami-amazon-linux-latest/al2023-ami-kernel-default-${architecture}`,
      });
      const { images } = await chosen(withType(type));
      expect(images).toEqual({ Web0: { id: Parameter?.Value, architecture } });
      expect(Parameter?.Value).toMatch(/^ami-/);
    }
  });

  it('contain equivalents of the type of a spot group, available in its zone and with its architecture', async () => {
    const { siblings, architectures } = await chosen(sampleModel({ layers: [sampleGroup(2, 50)] }));
    const [type = ''] = Object.keys(architectures);
    expect(siblings[type]?.length).toBeGreaterThan(0);
    const { InstanceTypes = [] } = await world.cloud.ec2.describeInstanceTypes({
      Filters: [{ Name: 'instance-type', Values: [...(siblings[type] ?? [])] }],
    });
    expect(InstanceTypes).toHaveLength(siblings[type]?.length ?? -1);
  });

  it('reject a type, a zone and a domain that the cloud does not have, with their paths', async () => {
    const group = sampleGroup(1, 0);
    const listener = { port: 443, protocol: 'https', instancePort: 80, instanceProtocol: 'http' } as const;
    const listeners = [{ ...listener, certificateDomain: 'shop.example.com' }];
    const model = sampleModel({
      layers: [
        sampleLayer({ instanceType: 'x9.gigantic' }),
        sampleLayer({
          flag: 'Api0',
          zone: 'eu-central-1a',
          subnet: { cidr: '10.0.1.0/24', public: true, assignPublicIp: true },
          loadBalancer: group.loadBalancer && { ...group.loadBalancer, kind: 'application', listeners },
        }),
      ],
    });
    const outcome = await choose(model);
    expect(outcome.ok ? [] : outcome.problems.map(({ path }) => path).toSorted()).toEqual([
      'layers/0/instanceType',
      'layers/1/loadBalancer/listeners/0/certificateDomain',
      'layers/1/zone',
    ]);
  });
});
