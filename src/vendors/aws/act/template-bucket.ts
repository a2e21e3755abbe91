import { createHash } from 'node:crypto';
import type { CreateBucketCommandInput } from '@aws-sdk/client-s3';
import type { Clients } from '../clients.ts';
import { callAws, ignoreError } from '../errors.ts';
import type { Region } from '../region.ts';

/** Limit of CloudFormation for a template in the request. It reads longer templates from a bucket. */
const maxBytesInRequest = 51_200;

type TemplateSource = { TemplateBody: string } | { TemplateURL: string };

/**
 * Returns the template in the form CloudFormation accepts, uploading long ones to a bucket. CloudFormation reads the
 * object during the request and keeps a copy, so objects expire after a day and need no cleanup, even after a crash. The
 * key contains a hash of the content, so that concurrent requests cannot overwrite each other's template.
 */
export async function placeTemplate(region: Region, stackId: string, body: string): Promise<TemplateSource> {
  if (Buffer.byteLength(body) <= maxBytesInRequest) return { TemplateBody: body };
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 32);
  const key = `${stackId}/${hash}.json`;
  const put = async (bucket: Bucket) => {
    const s3 = await region.clients.s3();
    const { name, owner } = bucket;
    await callAws(() => s3.putObject({ Bucket: name, Key: key, Body: body, ExpectedBucketOwner: owner }));
    return { TemplateURL: `${addressOf(region)}/${name}/${key}` };
  };
  const placed = await ignoreError({ name: /^NoSuchBucket$/ }, async () => put(await bucketOf(region)));
  if (placed) return placed;
  buckets.delete(region);
  return put(await bucketOf(region));
}

interface Bucket {
  name: string;
  /** The account that must own the bucket: names are global, so another account could have created it. */
  owner: string;
}

/** Buckets known to exist, for as long as the server runs. */
const buckets = new WeakMap<Region, Promise<Bucket>>();

function bucketOf(region: Region): Promise<Bucket> {
  const known = buckets.get(region);
  if (known) return known;
  const bucket = makeBucket(region);
  buckets.set(region, bucket);
  // Do not cache failures: the next call retries.
  bucket.catch(() => buckets.delete(region));
  return bucket;
}

async function makeBucket({ name: region, clients }: Region): Promise<Bucket> {
  const [sts, s3] = [await clients.sts(), await clients.s3()];
  const { Account: owner = '' } = await callAws(() => sts.getCallerIdentity({}));
  const name = `almanac-templates-${owner}-${region}`;
  // AWS rejects a location constraint in us-east-1.
  const location = (
    region === 'us-east-1' ? {} : { CreateBucketConfiguration: { LocationConstraint: region } }
  ) as Pick<CreateBucketCommandInput, 'CreateBucketConfiguration'>;
  await ignoreError({ name: /^BucketAlreadyOwnedByYou$/ }, () =>
    s3.createBucket({ Bucket: name, ...location }),
  );
  await configureBucket(s3, { name, owner });
  return { name, owner };
}

type ObjectStore = Awaited<ReturnType<Clients['s3']>>;

/** Blocks public access, and lets objects expire after a day. */
async function configureBucket(s3: ObjectStore, { name, owner }: Bucket): Promise<void> {
  const bucket = { Bucket: name, ExpectedBucketOwner: owner };
  await callAws(() =>
    s3.putPublicAccessBlock({
      ...bucket,
      PublicAccessBlockConfiguration: {
        BlockPublicAcls: true,
        IgnorePublicAcls: true,
        BlockPublicPolicy: true,
        RestrictPublicBuckets: true,
      },
    }),
  );
  const rule = {
    ID: 'after-a-day',
    Status: 'Enabled' as const,
    Filter: { Prefix: '' },
    Expiration: { Days: 1 },
  };
  await callAws(() =>
    s3.putBucketLifecycleConfiguration({ ...bucket, LifecycleConfiguration: { Rules: [rule] } }),
  );
}

/** The address of S3 in AWS, even with a simulator: simulators recognize this form and accept no other. */
const addressOf = ({ name: region }: Region): string =>
  `https://s3.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
