import { createHash } from 'node:crypto';
import type { CreateBucketCommandInput, S3 } from '@aws-sdk/client-s3';
import { ask } from '../errors.ts';
import type { Region } from '../region.ts';
import { tolerate } from '../tolerate.ts';

/** So many bytes of a template go along with a request; a longer one is read from a bucket. */
const maxBytesInRequest = 51_200;

export type TemplateSource = { TemplateBody: string } | { TemplateURL: string };

/**
 * A template as CloudFormation takes it. It reads one from a bucket while it answers the request and keeps it itself, so
 * the bucket lets go of it after a day: nobody need take it away, neither after a crash nor with the stack, and a stack
 * with a small template is not asked about. Its name is made from what is in it, so that two requests at once, say an
 * update and a forecast of another, cannot send each other's.
 */
export async function placeTemplate(region: Region, stackId: string, body: string): Promise<TemplateSource> {
  if (Buffer.byteLength(body) <= maxBytesInRequest) return { TemplateBody: body };
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 32);
  const key = `${stackId}/${hash}.json`;
  const put = async (bucket: Bucket) => {
    const s3 = await region.clients.s3();
    const { name, owner } = bucket;
    await ask(() => s3.putObject({ Bucket: name, Key: key, Body: body, ExpectedBucketOwner: owner }));
    return { TemplateURL: `${addressOf(region)}/${name}/${key}` };
  };
  const placed = await tolerate({ name: /^NoSuchBucket$/ }, async () => put(await bucketOf(region)));
  if (placed) return placed;
  buckets.delete(region);
  return put(await bucketOf(region));
}

interface Bucket {
  name: string;
  /** The account it must belong to: names are the whole world's, and somebody else could have taken this one. */
  owner: string;
}

/** Made, or found to be there, once for as long as the server runs. */
const buckets = new WeakMap<Region, Promise<Bucket>>();

function bucketOf(region: Region): Promise<Bucket> {
  const known = buckets.get(region);
  if (known) return known;
  const making = makeBucket(region);
  buckets.set(region, making);
  // One that failed is not kept: whoever asks next tries again.
  making.catch(() => buckets.delete(region));
  return making;
}

async function makeBucket({ name: region, clients }: Region): Promise<Bucket> {
  const [sts, s3] = [await clients.sts(), await clients.s3()];
  const { Account: owner = '' } = await ask(() => sts.getCallerIdentity({}));
  const name = `almanac-templates-${owner}-${region}`;
  // In the oldest region the place must not be named.
  const place = (
    region === 'us-east-1' ? {} : { CreateBucketConfiguration: { LocationConstraint: region } }
  ) as Pick<CreateBucketCommandInput, 'CreateBucketConfiguration'>;
  await tolerate({ name: /^BucketAlreadyOwnedByYou$/ }, () => s3.createBucket({ Bucket: name, ...place }));
  await closeAndClear(s3, { name, owner });
  return { name, owner };
}

async function closeAndClear(s3: S3, { name, owner }: Bucket): Promise<void> {
  const bucket = { Bucket: name, ExpectedBucketOwner: owner };
  await ask(() =>
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
  await ask(() =>
    s3.putBucketLifecycleConfiguration({ ...bucket, LifecycleConfiguration: { Rules: [rule] } }),
  );
}

/** The place AWS has for it, also before a simulator: those know what such an address means, and take no other. */
const addressOf = ({ name: region }: Region): string =>
  `https://s3.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
