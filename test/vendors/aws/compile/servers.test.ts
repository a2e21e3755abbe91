import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import type { Layer } from '../../../../src/model/stack-model.ts';
import type { Json, Properties } from '../../../../src/vendors/aws/document.ts';
import { sampleGroup, sampleModel } from '../../sample-model.ts';
import {
  type CompileOptions,
  layersIn,
  propertiesIn,
  resourceIn,
  sampleContainer,
  templateOf,
} from './world.ts';

const groupOf = (min: number, spotPercent: number, changes: object = {}): Layer => {
  const layer = sampleGroup(min, spotPercent);
  return { ...layer, capacity: { ...layer.capacity, ...changes } };
};

const templateOfGroup = (layer: Layer, options?: CompileOptions) =>
  templateOf(sampleModel({ layers: [layer] }), options);

const launchDataIn = (template: ReturnType<typeof templateOf>): Properties =>
  propertiesIn(template, 'LaunchTemplateWeb0')['LaunchTemplateData'] as Properties;
const launchData = (layer: Layer): Properties => launchDataIn(templateOfGroup(layer));

describe('a group', () => {
  it('waits for the signals of its minimum size and of each replaced server', () => {
    const group = resourceIn(templateOfGroup(groupOf(3, 0)), 'AutoScalingGroupWeb0');
    expect(group.CreationPolicy).toEqual({ ResourceSignal: { Count: 3, Timeout: 'PT15M' } });
    expect(group.UpdatePolicy).toMatchObject({
      AutoScalingRollingUpdate: { WaitOnResourceSignals: true, MinInstancesInService: 3 },
    });
    expect(group.Properties).not.toHaveProperty('DesiredCapacity');
  });

  it('with a minimum size of 0 waits for no signal', () => {
    expect(resourceIn(templateOfGroup(groupOf(0, 0)), 'AutoScalingGroupWeb0').CreationPolicy).toBeUndefined();
  });

  it('with equal minimum and maximum size is updated with one server less in service', () => {
    const group = resourceIn(templateOfGroup(groupOf(1, 0, { max: 1 })), 'AutoScalingGroupWeb0');
    expect(group.UpdatePolicy).toMatchObject({ AutoScalingRollingUpdate: { MinInstancesInService: 0 } });
  });

  it.each<[string, Partial<Layer>]>([
    [
      'whose servers have no public addresses',
      { subnet: { cidr: '10.0.0.0/24', public: true, assignPublicIp: false } },
    ],
    ['without egress rules', { securityGroup: { ingress: [], egress: [] } }],
    [
      'whose network ACL blocks responses',
      { networkAcl: [{ number: 1, protocol: '-1', action: 'allow', egress: true, cidr: '0.0.0.0/0' }] },
    ],
  ])('%s waits for no signal, because none could arrive', (_, changes) => {
    const template = templateOfGroup({ ...groupOf(2, 0), ...changes });
    expect(resourceIn(template, 'AutoScalingGroupWeb0').CreationPolicy).toBeUndefined();
    const reference = templateOfGroup(groupOf(2, 0));
    expect(launchDataIn(template)['UserData']).toEqual(launchDataIn(reference)['UserData']);
  });

  it('waits for no signal if its rules block the port of Almanac', () => {
    const https = { protocol: 'tcp', fromPort: 443, toPort: 443, cidr: '0.0.0.0/0' } as const;
    const layer = { ...groupOf(2, 0), securityGroup: { ingress: [], egress: [https] } };
    const policyAt = (baseUrl: string) =>
      resourceIn(templateOfGroup(layer, { baseUrl }), 'AutoScalingGroupWeb0').CreationPolicy;
    expect(policyAt('https://almanac.example.com')).toBeDefined();
    expect(policyAt('https://almanac.example.com:8443')).toBeUndefined();
  });

  it.each([
    [0, 100, false, []],
    [50, 50, true, ['t3.micro', 't3a.micro']],
    [100, 0, true, ['t3.micro', 't3a.micro']],
  ])('with %d %% spot instances has %d %% on-demand instances', (spot, onDemand, rebalances, types) => {
    const properties = propertiesIn(templateOfGroup(groupOf(2, spot)), 'AutoScalingGroupWeb0');
    expect(properties['CapacityRebalance']).toBe(rebalances);
    expect(properties['MixedInstancesPolicy']).toMatchObject({
      InstancesDistribution: { OnDemandBaseCapacity: 0, OnDemandPercentageAboveBaseCapacity: onDemand },
    });
    const { LaunchTemplate } = properties['MixedInstancesPolicy'] as {
      LaunchTemplate: { Overrides?: { InstanceType: string }[] };
    };
    expect((LaunchTemplate.Overrides ?? []).map(({ InstanceType }) => InstanceType)).toEqual(types);
  });

  it.each([
    ['a container publishes the checked port', sampleContainer({ ports: [443, 80] }), 'ELB'],
    ['a container publishes no port', sampleContainer({ ports: [] }), 'EC2'],
    ['there is no container', null, 'EC2'],
  ])('has the health checks that its servers can pass, if %s', (_, container, type) => {
    const behind = propertiesIn(templateOfGroup({ ...groupOf(1, 0), container }), 'AutoScalingGroupWeb0');
    expect(behind).toMatchObject({
      HealthCheckType: type,
      TargetGroupARNs: [{ Ref: 'TargetGroup80OfWeb0' }],
    });
  });

  it('ignores the health check of its load balancer if that checks a port that the container does not publish', () => {
    const group = groupOf(1, 0);
    const healthCheck = { ...group.loadBalancer!.healthCheck, target: 'HTTP:8080/health' };
    const layer = {
      ...group,
      container: sampleContainer(),
      loadBalancer: { ...group.loadBalancer!, healthCheck },
    };
    expect(propertiesIn(templateOfGroup(layer), 'AutoScalingGroupWeb0')['HealthCheckType']).toBe('EC2');
  });

  it('without a load balancer has the health checks of EC2', () => {
    const alone = propertiesIn(
      templateOfGroup({ ...groupOf(1, 0), loadBalancer: null }),
      'AutoScalingGroupWeb0',
    );
    expect(alone['HealthCheckType']).toBe('EC2');
  });

  it('has the tags by which its servers are found', () => {
    expect(propertiesIn(templateOfGroup(groupOf(1, 0)), 'AutoScalingGroupWeb0')['Tags']).toEqual([
      { Key: 'almanac:stack', Value: 'mo-1', PropagateAtLaunch: true },
      { Key: 'almanac:flag', Value: 'Web0', PropagateAtLaunch: true },
      { Key: 'Name', Value: 'mo-1-Web0', PropagateAtLaunch: true },
    ]);
  });
});

describe('every server', () => {
  it('has an encrypted volume, keeps its role from containers and has no explicit network interfaces', () => {
    const single = propertiesIn(templateOf(layersIn({})), 'Instance0OfLayer0');
    for (const launched of [single, launchData(groupOf(1, 0))]) {
      expect(launched).toMatchObject({
        BlockDeviceMappings: [{ Ebs: { VolumeType: 'gp3', VolumeSize: 30, Encrypted: true } }],
        // A container is two hops away from the metadata service, which has the keys of the role.
        MetadataOptions: { HttpTokens: 'required', HttpPutResponseHopLimit: 1 },
      });
      expect(launched).not.toHaveProperty('NetworkInterfaces');
    }
    // With this option, AWS rejects tags with spaces. Only agents of groups need it.
    expect(single['MetadataOptions']).not.toHaveProperty('InstanceMetadataTags');
  });

  it('boots from the root device of its image', () => {
    const machineImage = 'ami-0123456789abcdef0';
    const machineImages = { [machineImage]: { architecture: 'x86_64', rootDevice: '/dev/sda1' } };
    const template = templateOf(layersIn({ machineImage }, {}), { choices: { machineImages } });
    const deviceOf = (id: string) => propertiesIn(template, id)['BlockDeviceMappings'];
    expect(deviceOf('Instance0OfLayer0')).toMatchObject([{ DeviceName: '/dev/sda1' }]);
    expect(deviceOf('Instance0OfLayer1')).toMatchObject([{ DeviceName: '/dev/xvda' }]);
  });

  it('has provisioned IOPS for volume types that require them', () => {
    const template = templateOf(layersIn({ volume: { type: 'io1', sizeGib: 8 } }));
    expect(propertiesIn(template, 'Instance0OfLayer0')).toMatchObject({
      BlockDeviceMappings: [{ Ebs: { VolumeType: 'io1', Iops: 100 } }],
    });
  });

  it('may be reached through Session Manager, and of a group also end its own termination', () => {
    const actionsIn = (template: ReturnType<typeof templateOf>, id: string) => {
      const [policy] = propertiesIn(template, id)['Policies'] as [{ PolicyDocument: Properties }];
      const statements = policy.PolicyDocument['Statement'] as {
        Action: string | string[];
        Resource: Json;
      }[];
      return new Map(
        statements.flatMap(({ Action, Resource }) => [Action].flat().map((one) => [one, Resource])),
      );
    };
    const single = actionsIn(templateOf(layersIn({})), 'RoleLayer0');
    expect([...single.keys()]).toEqual([
      'ssm:GetParameter',
      'ssm:UpdateInstanceInformation',
      'ssmmessages:CreateControlChannel',
      'ssmmessages:CreateDataChannel',
      'ssmmessages:OpenControlChannel',
      'ssmmessages:OpenDataChannel',
    ]);
    const member = actionsIn(templateOfGroup(groupOf(1, 0)), 'RoleWeb0');
    expect(member.get('autoscaling:CompleteLifecycleAction')).toEqual({
      'Fn::Sub':
        'arn:${AWS::Partition}:autoscaling:ap-northeast-1:${AWS::AccountId}:autoScalingGroup:*:' +
        'autoScalingGroupName/${AWS::StackName}-AutoScalingGroupWeb0-*',
    });
  });

  it('may read only the token of its agent and its code', () => {
    const permissionsFor = (path: string) => {
      const container = sampleContainer({ codeSource: 'object_store', gitRepository: path });
      const text = JSON.stringify(
        propertiesIn(templateOf(layersIn({ container })), 'RoleLayer0')['Policies'],
      );
      return [...text.matchAll(/"Fn::Sub":"([^"]+)"/g)].map((match) => match[1]?.split('}:')[1]);
    };
    expect(permissionsFor('s3://bucket/a/b.zip')).toEqual([
      expect.stringContaining('ssm:'),
      's3:::bucket/a/b.zip',
    ]);
    expect(permissionsFor('bucket/folder/')).toEqual([expect.anything(), 's3:::bucket/folder/*']);
    expect(permissionsFor('bucket/${aws:username}.zip')).toEqual([
      expect.anything(),
      's3:::bucket/${!$}{aws:username}.zip',
    ]);
    expect(permissionsFor('https://example.com/code.zip')).toHaveLength(1);
  });
});

describe('the user data script', () => {
  const scriptOf = (changes: Partial<Layer>, options?: CompileOptions): string => {
    const template = templateOf(layersIn(changes), options);
    const instance = Object.keys(template.Resources).find((id) => id.startsWith('Instance0Of')) ?? '';
    const data = propertiesIn(template, instance)['UserData'] as { 'Fn::Base64': string };
    return data['Fn::Base64'];
  };

  it('is valid shell for any layer name', () => {
    const script = scriptOf({ flag: `it's "$(a)" \`layer\``, keyPair: false, container: sampleContainer() });
    const printing = script.replace(/^curl .*\| sh -s --/m, 'printf "%s\\n"').replace(/^signal=[^]*/m, '');
    const { stdout, status } = spawnSync('bash', ['-c', printing], { encoding: 'utf8' });
    expect(status).toBe(0);
    expect(stdout.split('\n')).toContain(`it's "$(a)" \`layer\``);
    expect(spawnSync('bash', ['-n', '-c', script]).status).toBe(0);
  });

  it('signals the result of the agent installation to CloudFormation', () => {
    const script = scriptOf({ container: sampleContainer() });
    expect(script).toContain("--token-from 'ssm:/almanac/mo-1/agent-token'");
    expect(script).toContain("--stack 'alm-mo-1' --resource Instance0OfLayer0");
  });

  it('does not change when a container is added later', () => {
    const plain = templateOf(layersIn({}));
    const [before, after] = [plain, templateOf(layersIn({ container: sampleContainer() }))].map((template) =>
      ['RoleLayer0', 'InstanceProfileLayer0', 'Instance0OfLayer0'].map((id) => resourceIn(template, id)),
    );
    expect(before).toEqual(after);
    expect(scriptOf({})).toContain('install.sh');
  });

  it.each(['http://localhost:8080', 'http://almanac.example.com'])(
    'only signals where servers cannot download an agent, as from %s',
    (baseUrl) => {
      expect(scriptOf({}, { baseUrl })).not.toContain('install.sh');
      expect(scriptOf({}, { baseUrl })).toContain('cfn-signal');
      expect(templateOf(layersIn({}), { baseUrl }).Resources).not.toHaveProperty('RoleLayer0');
    },
  );
});
