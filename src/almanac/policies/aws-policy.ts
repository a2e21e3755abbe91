import { parseArgs } from 'node:util';
import type { Config } from '../../basics/config.ts';
import { entryOf } from '../../basics/entry-of.ts';
import { type OptionalFeature, optionalFeatures } from '../../vendors/aws/permissions/features.ts';
import { keyPolicy } from '../../vendors/aws/permissions/key-policy.ts';
import type { Policy } from '../../vendors/aws/permissions/policy.ts';
import { rolePolicy, trustPolicy } from '../../vendors/aws/permissions/role-policy.ts';
import { defaultRoleArn, type Partition, partitions } from '../../vendors/aws/permissions/scopes.ts';

export const awsPolicyHelp = `Usage:
  almanac aws-policy key [--role-arn <arn> | --without-role] [options]
                                the policy of the key that is saved in Almanac
  almanac aws-policy role [options]
                                the policy of the role that CloudFormation uses
  almanac aws-policy trust      the trust policy of that role

Options:
  --variant minimal|full        minimal: create, describe, update and delete stacks; full (the default): all features
  --feature <name>              with --variant minimal: also allow this feature; can be repeated:
                                ${optionalFeatures.slice(0, 6).join(', ')},
                                ${optionalFeatures.slice(6).join(', ')}
  --partition aws|aws-cn|aws-us-gov
                                the partition of the account (default: that of --role-arn, or aws)
  --role-arn <arn>              the role that the key may pass to CloudFormation (default: any account's role
                                almanac-cloudformation)
  --without-role                the key has no role, and also needs the policy of the role

Prints one IAM policy document as JSON, for example for: aws iam create-policy --policy-document file://key.json
See docs/vendors/aws-permissions.md.`;

const text = { type: 'string' } as const;
const options = {
  variant: text,
  feature: { type: 'string', multiple: true },
  partition: text,
  'role-arn': text,
  'without-role': { type: 'boolean' },
} as const;

const parse = (args: readonly string[]) => parseArgs({ args: [...args], options, allowPositionals: true });
type Values = ReturnType<typeof parse>['values'];

/** Prints one policy document. Needs neither a database nor a key. */
export async function awsPolicy(_config: Config, args: readonly string[]): Promise<void> {
  process.stdout.write(`${JSON.stringify(policyDocument(args), null, 2)}\n`);
}

export function policyDocument(args: readonly string[]): Policy<unknown> {
  const { values, positionals } = parse(args);
  const [name = '', ...more] = positionals;
  const document = entryOf(documents, name);
  if (!document || more.length > 0)
    throw new Error('Usage: almanac aws-policy key|role|trust. Run: almanac aws-policy --help');
  return document(values);
}

const documents: Readonly<Record<string, (values: Values) => Policy<unknown>>> = {
  key: (values) => keyPolicy({ ...common(values), roleArn: roleArnOf(values) }),
  role: (values) => rolePolicy(common(values)),
  trust: () => trustPolicy(),
};

const common = (values: Values) => ({ partition: partitionOf(values), features: featuresOf(values) });

function featuresOf({ variant = 'full', feature: named = [] }: Values): readonly OptionalFeature[] {
  if (variant !== 'full' && variant !== 'minimal')
    throw new Error(`Unknown variant "${variant}". Use minimal or full.`);
  const unknown = named.find((one) => !optionalFeatures.some((feature) => feature === one));
  if (unknown !== undefined)
    throw new Error(`Unknown feature "${unknown}". Use one of: ${optionalFeatures.join(', ')}.`);
  return variant === 'full'
    ? optionalFeatures
    : optionalFeatures.filter((feature) => named.includes(feature));
}

const roleArn = /^arn:([a-z-]+):iam::(?:\d{12}|\*):role\/.+$/;

/** The role and the partition must agree: IAM accepts no ARN of another partition. */
function partitionOf({ partition: named, 'role-arn': arn }: Values): Partition {
  const ofRole = arn === undefined ? undefined : roleArn.exec(arn)?.[1];
  if (arn !== undefined && ofRole === undefined)
    throw new Error(`Invalid role: ${arn}. Use the form arn:aws:iam::123456789012:role/name.`);
  const partition = partitions.find((one) => one === (named ?? ofRole ?? 'aws'));
  if (!partition)
    throw new Error(`Unknown partition "${named ?? ofRole}". Use one of: ${partitions.join(', ')}.`);
  if (ofRole !== undefined && ofRole !== partition)
    throw new Error(
      `The role ${arn} is not in the partition ${partition}. Omit --partition, or correct the role.`,
    );
  return partition;
}

function roleArnOf(values: Values): string | null {
  if (!values['without-role']) return values['role-arn'] ?? defaultRoleArn(partitionOf(values));
  if (values['role-arn'] !== undefined) throw new Error('Use either --role-arn or --without-role.');
  return null;
}
