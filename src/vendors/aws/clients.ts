import type { ACM } from '@aws-sdk/client-acm';
import type { AutoScaling } from '@aws-sdk/client-auto-scaling';
import type { CloudFormation } from '@aws-sdk/client-cloudformation';
import type { EC2 } from '@aws-sdk/client-ec2';
import type { ElasticLoadBalancingV2 } from '@aws-sdk/client-elastic-load-balancing-v2';
import type { ElastiCache } from '@aws-sdk/client-elasticache';
import type { RDS } from '@aws-sdk/client-rds';
import type { S3 } from '@aws-sdk/client-s3';
import type { SecretsManager } from '@aws-sdk/client-secrets-manager';
import type { SSM } from '@aws-sdk/client-ssm';
import type { STS } from '@aws-sdk/client-sts';
import type { VendorAccess } from '../vendor.ts';

/** The SDK clients of one credential in one region. Each loads on first use: some take half a second. */
export interface Clients {
  acm(): Promise<ACM>;
  autoScaling(): Promise<AutoScaling>;
  cloudFormation(): Promise<CloudFormation>;
  ec2(): Promise<EC2>;
  elastiCache(): Promise<ElastiCache>;
  loadBalancing(): Promise<ElasticLoadBalancingV2>;
  rds(): Promise<RDS>;
  s3(): Promise<S3>;
  secretsManager(): Promise<SecretsManager>;
  ssm(): Promise<SSM>;
  sts(): Promise<STS>;
}

/** Called for every request sent, including retries. */
export type CountCall = (service: string, operation: string) => void;

interface Countable {
  middlewareStack: { add(middleware: never, options: { step: 'finalizeRequest' }): void };
}

type Next = (args: unknown) => Promise<unknown>;

/** Adds the counter inside the retry loop, so that each attempt counts. */
function counted<C extends Countable>(client: C, service: string, count: CountCall): C {
  const middleware =
    (next: Next, { commandName }: { commandName?: string }) =>
    (args: unknown) => {
      count(service, (commandName ?? '').replace(/Command$/, ''));
      return next(args);
    };
  client.middlewareStack.add(middleware as never, { step: 'finalizeRequest' });
  return client;
}

const once = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
};

const settingsFor = ({ credentialId, secret }: VendorAccess, region: string) => ({
  region,
  credentials: { accessKeyId: credentialId, secretAccessKey: secret.reveal() },
  retryMode: 'adaptive',
  maxAttempts: 5,
  // Report a cloud that does not answer soon; the reconciler retries.
  requestHandler: { connectionTimeout: 5_000, requestTimeout: 20_000, throwOnRequestTimeout: true },
});

/** The SDK itself reads AWS_ENDPOINT_URL and related variables. */
export function makeClients(access: VendorAccess, region: string, count: CountCall): Clients {
  const settings = settingsFor(access, region);
  // Path style: simulators have no host name for each bucket.
  const forS3 = { ...settings, forcePathStyle: true };
  const lazily = <C extends Countable>(service: string, load: () => Promise<C>) =>
    once(async () => counted(await load(), service, count));
  return {
    acm: lazily('acm', async () => new (await import('@aws-sdk/client-acm')).ACM(settings)),
    autoScaling: lazily('autoscaling', async () => {
      const { AutoScaling } = await import('@aws-sdk/client-auto-scaling');
      return new AutoScaling(settings);
    }),
    cloudFormation: lazily('cloudformation', async () => {
      const { CloudFormation } = await import('@aws-sdk/client-cloudformation');
      return new CloudFormation(settings);
    }),
    ec2: lazily('ec2', async () => new (await import('@aws-sdk/client-ec2')).EC2(settings)),
    elastiCache: lazily('elasticache', async () => {
      const { ElastiCache } = await import('@aws-sdk/client-elasticache');
      return new ElastiCache(settings);
    }),
    loadBalancing: lazily('elasticloadbalancing', async () => {
      const { ElasticLoadBalancingV2 } = await import('@aws-sdk/client-elastic-load-balancing-v2');
      return new ElasticLoadBalancingV2(settings);
    }),
    rds: lazily('rds', async () => new (await import('@aws-sdk/client-rds')).RDS(settings)),
    s3: lazily('s3', async () => new (await import('@aws-sdk/client-s3')).S3(forS3)),
    secretsManager: lazily('secretsmanager', async () => {
      const { SecretsManager } = await import('@aws-sdk/client-secrets-manager');
      return new SecretsManager(settings);
    }),
    ssm: lazily('ssm', async () => new (await import('@aws-sdk/client-ssm')).SSM(settings)),
    sts: lazily('sts', async () => new (await import('@aws-sdk/client-sts')).STS(settings)),
  };
}
