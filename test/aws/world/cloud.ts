import { ACM } from '@aws-sdk/client-acm';
import { AutoScaling } from '@aws-sdk/client-auto-scaling';
import { CloudFormation, type Stack } from '@aws-sdk/client-cloudformation';
import { EC2 } from '@aws-sdk/client-ec2';
import { ElasticLoadBalancingV2 } from '@aws-sdk/client-elastic-load-balancing-v2';
import { ElastiCache } from '@aws-sdk/client-elasticache';
import { RDS } from '@aws-sdk/client-rds';
import { SecretsManager } from '@aws-sdk/client-secrets-manager';
import { SSM } from '@aws-sdk/client-ssm';
import { eventually } from '../../http.ts';
import { listFileSystems, listInstanceProfiles, listRoles } from './raw-calls.ts';

/** Direct access to the services of one region, without Almanac and without a proxy. */
export class Cloud {
  readonly url: string;
  readonly region: string;
  readonly acm: ACM;
  readonly autoScaling: AutoScaling;
  readonly cloudFormation: CloudFormation;
  readonly ec2: EC2;
  readonly elastiCache: ElastiCache;
  readonly loadBalancing: ElasticLoadBalancingV2;
  readonly rds: RDS;
  readonly secretsManager: SecretsManager;
  readonly ssm: SSM;

  constructor(url: string, region = 'ap-northeast-1') {
    // When moto checks permissions, this key of the overlay has all of them.
    const credentials = { accessKeyId: 'AKIAMOTO', secretAccessKey: 'x' };
    const settings = { region, credentials, endpoint: url };
    this.url = url;
    this.region = region;
    this.acm = new ACM(settings);
    this.autoScaling = new AutoScaling(settings);
    this.cloudFormation = new CloudFormation(settings);
    this.ec2 = new EC2(settings);
    this.elastiCache = new ElastiCache(settings);
    this.loadBalancing = new ElasticLoadBalancingV2(settings);
    this.rds = new RDS(settings);
    this.secretsManager = new SecretsManager(settings);
    this.ssm = new SSM(settings);
  }

  /** CloudFormation stacks that are not deleted. */
  async stacks(): Promise<Stack[]> {
    const stacks: Stack[] = [];
    let token: string | undefined;
    do {
      const page = await this.cloudFormation.describeStacks(token ? { NextToken: token } : {});
      stacks.push(...(page.Stacks ?? []));
      token = page.NextToken;
    } while (token);
    return stacks;
  }

  /** Waits until no CloudFormation stack is in progress. */
  async waitForStacks(): Promise<void> {
    await eventually(
      async () =>
        (await this.stacks()).filter(({ StackStatus = '' }) => /IN_PROGRESS/.test(StackStatus)).length,
      (busy) => busy === 0,
    );
  }

  /** Instances that are not terminated. AWS lists terminated ones for an hour, simulators forever. */
  async instances() {
    const { Reservations = [] } = await this.ec2.describeInstances({ MaxResults: 1000 });
    return Reservations.flatMap(({ Instances = [] }) => Instances).filter(
      ({ State }) => State?.Name !== 'terminated',
    );
  }

  /** The targets of the first load balancer. */
  async targetIds(): Promise<string[]> {
    const { TargetGroups = [] } = await this.loadBalancing.describeTargetGroups({});
    const { TargetHealthDescriptions = [] } = await this.loadBalancing.describeTargetHealth({
      TargetGroupArn: TargetGroups[0]?.TargetGroupArn,
    });
    return TargetHealthDescriptions.map(({ Target }) => Target?.Id ?? '').toSorted();
  }

  /** Issues a certificate, which load balancers need for HTTPS. */
  async issueCertificate(domain: string): Promise<void> {
    const { CertificateArn } = await this.acm.requestCertificate({ DomainName: domain });
    await eventually(
      () => this.acm.describeCertificate({ CertificateArn }),
      ({ Certificate }) => Certificate?.Status === 'ISSUED',
    );
  }

  async parameterNames(): Promise<string[]> {
    const names: string[] = [];
    let token: string | undefined;
    do {
      const page = await this.ssm.describeParameters(token ? { NextToken: token } : {});
      names.push(...(page.Parameters ?? []).map(({ Name = '' }) => Name));
      token = page.NextToken;
    } while (token);
    // Omit public parameters of AWS, which moto adds when one of them is read.
    return names.filter((name) => !name.startsWith('/aws/')).toSorted();
  }
}

const names = <T>(things: readonly T[] | undefined, nameOf: (thing: T) => string | undefined): string[] =>
  (things ?? []).map((thing) => nameOf(thing) ?? '').toSorted();

/** All resources that stacks can create, by kind. Compare before and after to find what a stack leaves behind. */
export async function resourcesIn(cloud: Cloud): Promise<Record<string, string[]>> {
  const { ec2, autoScaling, loadBalancing, rds, elastiCache, secretsManager } = cloud;
  return {
    networks: names((await ec2.describeVpcs({})).Vpcs, ({ VpcId }) => VpcId),
    subnets: names((await ec2.describeSubnets({})).Subnets, ({ SubnetId }) => SubnetId),
    gateways: names((await ec2.describeInternetGateways({})).InternetGateways, (it) => it.InternetGatewayId),
    natGateways: names((await ec2.describeNatGateways({})).NatGateways, (it) =>
      it.State === 'deleted' ? '' : it.NatGatewayId,
    ).filter((id) => id !== ''),
    addresses: names((await ec2.describeAddresses({})).Addresses, ({ AllocationId }) => AllocationId),
    routeTables: names((await ec2.describeRouteTables({})).RouteTables, ({ RouteTableId }) => RouteTableId),
    // Moto does not delete the default ACL of a VPC.
    accessLists: names(
      (await ec2.describeNetworkAcls({})).NetworkAcls?.filter(({ IsDefault }) => !IsDefault),
      ({ NetworkAclId }) => NetworkAclId,
    ),
    securityGroups: names((await ec2.describeSecurityGroups({})).SecurityGroups, ({ GroupId }) => GroupId),
    keyPairs: names((await ec2.describeKeyPairs({})).KeyPairs, ({ KeyName }) => KeyName),
    launchTemplates: names(
      (await ec2.describeLaunchTemplates({})).LaunchTemplates,
      (it) => it.LaunchTemplateId,
    ),
    instances: names(await cloud.instances(), ({ InstanceId }) => InstanceId),
    scalingGroups: names(
      (await autoScaling.describeAutoScalingGroups({})).AutoScalingGroups,
      (it) => it.AutoScalingGroupName,
    ),
    loadBalancers: names(
      (await loadBalancing.describeLoadBalancers({})).LoadBalancers,
      (it) => it.LoadBalancerArn,
    ),
    targetGroups: names(
      (await loadBalancing.describeTargetGroups({})).TargetGroups,
      (it) => it.TargetGroupArn,
    ),
    databases: names((await rds.describeDBInstances({})).DBInstances, (it) => it.DBInstanceIdentifier),
    databaseSubnets: names(
      (await rds.describeDBSubnetGroups({})).DBSubnetGroups,
      (it) => it.DBSubnetGroupName,
    ),
    // Moto never finishes a deletion.
    cacheGroups: names(
      (await elastiCache.describeReplicationGroups({})).ReplicationGroups?.filter(
        (it) => it.Status !== 'deleting',
      ),
      (it) => it.ReplicationGroupId,
    ),
    secrets: names((await secretsManager.listSecrets({})).SecretList, ({ Name }) => Name),
    fileSystems: await listFileSystems(cloud),
    parameters: await cloud.parameterNames(),
    roles: await listRoles(cloud),
    instanceProfiles: await listInstanceProfiles(cloud),
  };
}
