import { parseArgs } from 'node:util';
import type { Config } from '../../basics/config.ts';
import { entryOf } from '../../basics/entry-of.ts';
import {
  keyPolicy,
  type Policy,
  rolePolicy,
  trustPolicy,
} from '../../vendors/alicloud/permissions/policy.ts';

export const alicloudPolicyHelp = `Usage:
  almanac alicloud-policy key [--role <name>]
                                the policy of the key that is saved in Almanac
  almanac alicloud-policy role  the policy of the role that ROS uses
  almanac alicloud-policy trust the trust policy of that role

Options:
  --role <name>                 the RAM role that the key may pass to ROS; without it, the key also needs the policy of
                                the role

Prints one RAM policy document as JSON. See docs/vendors/alicloud-permissions.md.`;

/** Prints one policy document. Needs neither a database nor a key. */
export async function alicloudPolicy(_config: Config, args: readonly string[]): Promise<void> {
  process.stdout.write(`${JSON.stringify(policyDocument(args), null, 2)}\n`);
}

export function policyDocument(args: readonly string[]): Policy<object> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { role: { type: 'string' } },
    allowPositionals: true,
  });
  const [name = '', ...more] = positionals;
  const document = entryOf(documents, name);
  if (!document || more.length > 0)
    throw new Error('Usage: almanac alicloud-policy key|role|trust. Run: almanac alicloud-policy --help');
  return document(values.role ?? null);
}

const documents: Readonly<Record<string, (role: string | null) => Policy<object>>> = {
  key: keyPolicy,
  role: rolePolicy,
  trust: trustPolicy,
};
