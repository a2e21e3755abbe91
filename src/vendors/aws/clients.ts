import type { ACM } from '@aws-sdk/client-acm';
import type { AutoScaling } from '@aws-sdk/client-auto-scaling';
import type { CloudFormation } from '@aws-sdk/client-cloudformation';
import type { EC2 } from '@aws-sdk/client-ec2';
import type { ElasticLoadBalancingV2 } from '@aws-sdk/client-elastic-load-balancing-v2';
import type { ElastiCache } from '@aws-sdk/client-elasticache';
import type { RDS } from '@aws-sdk/client-rds';
import type { S3 } from '@aws-sdk/client-s3';
import type { SecretsManager } from '@aws-sdk/client-secrets-manager';
import type { SQS } from '@aws-sdk/client-sqs';
import type { SSM } from '@aws-sdk/client-ssm';
import type { STS } from '@aws-sdk/client-sts';
import { callEndpoint } from '../../basics/calls/call-limit.ts';
import type { VendorAccess } from '../vendor.ts';
import { type calls, rightsOf, type Service } from './permissions/calls.ts';
import { noteFailedCall } from './permissions/denials.ts';

type MethodsOf<S extends Service> = keyof (typeof calls)[S];

/**
 * The methods of a client that have a row in permissions/calls.ts. If a call does not compile because its method is
 * missing here, add its row there: the policies that users give to their keys are made from that table.
 */
type OnlyListedCalls<C extends Record<MethodsOf<S>, unknown>, S extends Service> = Pick<C, MethodsOf<S>>;

/** The SDK clients of one credential in one region. Each loads on first use: some take half a second. */
export interface Clients {
  acm(): Promise<OnlyListedCalls<ACM, 'acm'>>;
  autoScaling(): Promise<OnlyListedCalls<AutoScaling, 'autoscaling'>>;
  cloudFormation(): Promise<OnlyListedCalls<CloudFormation, 'cloudformation'>>;
  ec2(): Promise<OnlyListedCalls<EC2, 'ec2'>>;
  elastiCache(): Promise<OnlyListedCalls<ElastiCache, 'elasticache'>>;
  loadBalancing(): Promise<OnlyListedCalls<ElasticLoadBalancingV2, 'elasticloadbalancing'>>;
  rds(): Promise<OnlyListedCalls<RDS, 'rds'>>;
  s3(): Promise<OnlyListedCalls<S3, 's3'>>;
  secretsManager(): Promise<OnlyListedCalls<SecretsManager, 'secretsmanager'>>;
  sqs(): Promise<OnlyListedCalls<SQS, 'sqs'>>;
  ssm(): Promise<OnlyListedCalls<SSM, 'ssm'>>;
  sts(): Promise<OnlyListedCalls<STS, 'sts'>>;
}

/** Called for every request sent, including retries. */
export type CountCall = (service: string, operation: string) => void;

interface HandlerOptions {
  abortSignal?: AbortSignal;
}

interface Handler {
  handle(request: { hostname: string; port?: number }, options?: HandlerOptions): Promise<unknown>;
}

interface Countable {
  middlewareStack: { add(middleware: never, options: { step: 'finalizeRequest' }): void };
  config: { requestHandler: unknown };
}

type Next = (args: unknown) => Promise<unknown>;

/** Refuses calls without a row in the table, which the policies of keys would lack. */
export function assertListed(service: string, method: string): void {
  if (!rightsOf(service, method))
    throw new TypeError(
      `The table of AWS calls has no row for ${service} ${method}. Add one in src/vendors/aws/permissions/calls.ts, ` +
        'and run `npm run docs`.',
    );
}

/** Adds the counter inside the retry loop, so that each attempt counts. */
function counted<C extends Countable>(client: C, service: Service, count: CountCall): C {
  const middleware =
    (next: Next, { commandName = '' }: { commandName?: string }) =>
    async (args: unknown) => {
      const operation = commandName.replace(/Command$/, '');
      const method = operation.charAt(0).toLowerCase() + operation.slice(1);
      assertListed(service, method);
      count(service, operation);
      try {
        return await next(args);
      } catch (error) {
        noteFailedCall(error, { service, method });
        throw error;
      }
    };
  client.middlewareStack.add(middleware as never, { step: 'finalizeRequest' });
  return client;
}

/** Each attempt is a call of its own: whether anybody answers is known after the first. */
function watched<C extends Countable>(client: C): C {
  const handler = client.config.requestHandler as Handler;
  const handle = handler.handle.bind(handler);
  handler.handle = (request, options = {}) => {
    const { hostname, port } = request;
    const host = port === undefined ? hostname : `${hostname}:${port}`;
    return callEndpoint({ vendor: 'aws', host }, (signal) => {
      const signals = [options.abortSignal, signal].filter((it) => it !== undefined);
      return handle(
        request,
        signals.length > 0 ? { ...options, abortSignal: AbortSignal.any(signals) } : options,
      );
    });
  };
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
  maxAttempts: 3,
  // Report a cloud that does not answer soon; the reconciler retries. A long list may take this long.
  requestHandler: { connectionTimeout: 5_000, requestTimeout: 20_000, throwOnRequestTimeout: true },
});

/** One attempt: while receiving fails, stacks are polled. The queue is in the request, which goes to AWS's own host. */
const receiving = { maxAttempts: 1, useQueueUrlAsEndpoint: false };

/** The SDK itself reads AWS_ENDPOINT_URL and related variables. */
export function makeClients(access: VendorAccess, region: string, count: CountCall): Clients {
  const settings = settingsFor(access, region);
  // Path style: simulators have no host name for each bucket.
  const forS3 = { ...settings, forcePathStyle: true };
  const forSqs = { ...settings, ...receiving };
  const lazily = <C extends Countable>(service: Service, load: () => Promise<C>) =>
    once(async () => counted(watched(await load()), service, count));
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
    sqs: lazily('sqs', async () => new (await import('@aws-sdk/client-sqs')).SQS(forSqs)),
    ssm: lazily('ssm', async () => new (await import('@aws-sdk/client-ssm')).SSM(settings)),
    sts: lazily('sts', async () => new (await import('@aws-sdk/client-sts')).STS(settings)),
  };
}
