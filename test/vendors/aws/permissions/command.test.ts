import { describe, expect, it } from 'vitest';
import { policyDocument } from '../../../../src/almanac/policies/aws-policy.ts';
import type { Policy } from '../../../../src/vendors/aws/permissions/policy.ts';

const printed = (...args: string[]) => policyDocument(args) as Policy;

describe('almanac aws-policy', () => {
  it('prints the policy of a key as JSON, with the role and the partition of its ARN', () => {
    const roleArn = 'arn:aws-cn:iam::123456789012:role/stacks';
    const { Statement } = printed('key', '--role-arn', roleArn);
    expect(Statement.find(({ Action }) => Action === 'iam:PassRole')?.Resource).toBe(roleArn);
    expect(JSON.stringify(Statement)).not.toContain('arn:aws:');
  });

  it('prints a minimal policy, and adds the features that are named', () => {
    const text = (...args: string[]) => JSON.stringify(printed('key', '--variant', 'minimal', ...args));
    expect(text()).not.toContain('DetectStackDrift');
    const withTwo = text('--feature', 'drift', '--feature', 'https');
    expect(withTwo).toContain('DetectStackDrift');
    expect(withTwo).toContain('acm:ListCertificates');
    expect(withTwo).not.toContain('ChangeSet');
  });

  it('prints the policy and the trust policy of the role', () => {
    expect(JSON.stringify(printed('role', '--partition', 'aws-us-gov'))).toContain(
      'arn:aws-us-gov:iam::*:role/',
    );
    expect(JSON.stringify(printed('trust'))).toContain('"Service":"cloudformation.amazonaws.com"');
  });

  it.each([
    [['keys'], 'Usage: almanac aws-policy key|role|trust'],
    [['key', '--variant', 'some'], 'Unknown variant "some". Use minimal or full.'],
    [['key', '--feature', 'drifts'], 'Unknown feature "drifts". Use one of: https,'],
    [['key', '--partition', 'aws-iso'], 'Unknown partition "aws-iso". Use one of: aws, aws-cn, aws-us-gov.'],
    [['key', '--role-arn', 'me'], 'Invalid role: me.'],
    [
      ['key', '--partition', 'aws', '--role-arn', 'arn:aws-cn:iam::123456789012:role/x'],
      'is not in the partition aws',
    ],
    [['key', '--without-role', '--role-arn', 'arn:aws:iam::123456789012:role/x'], 'Use either --role-arn or'],
  ])('rejects %j and says what to write instead', (args, message) => {
    expect(() => policyDocument(args)).toThrow(message);
  });
});
