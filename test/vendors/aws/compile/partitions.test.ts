import { describe, expect, it } from 'vitest';
import { goldenTemplatesIn } from './partitions.ts';

/** Members in which AWS asks for names: the user's certificates, and scripts that servers run. */
const isForeign = (key: string): boolean => key === 'CertificateArn' || key === 'UserData';

function textsIn(value: unknown, key = ''): string[] {
  if (isForeign(key)) return [];
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => textsIn(member, name));
}

describe.each(['cn-north-1', 'us-gov-west-1'])('templates for %s', (region) => {
  it.each(goldenTemplatesIn(region))(
    '%s has no ARN or service principal of another partition',
    (_, template) => {
      const texts = textsIn(template.Resources);
      expect(texts.filter((text) => /arn:aws\b/.test(text))).toEqual([]);
      expect(texts.filter((text) => text.includes('amazonaws.com'))).toEqual([]);
    },
  );
});

it('roles of servers trust EC2 under the name of the partition', () => {
  const texts = goldenTemplatesIn('cn-north-1').flatMap(([, template]) => textsIn(template.Resources));
  expect(texts).toContain('ec2.${AWS::URLSuffix}');
  expect(texts.some((text) => text.startsWith('arn:${AWS::Partition}:ssm:cn-north-1:'))).toBe(true);
});

it('servers in China look for the helper scripts of CloudFormation there first; all others use the worldwide address', () => {
  const urlsIn = (region: string): Set<string> =>
    new Set(
      goldenTemplatesIn(region).flatMap(
        ([, template]) => JSON.stringify(template).match(/https:[\w./-]+\/aws-cfn-bootstrap[\w.-]+/g) ?? [],
      ),
    );
  const file = 'cloudformation-examples/aws-cfn-bootstrap-py3-latest.tar.gz';
  expect([...urlsIn('us-gov-west-1')]).toEqual([`https://s3.amazonaws.com/${file}`]);
  expect([...urlsIn('cn-northwest-1')]).toEqual([
    `https://s3.cn-north-1.amazonaws.com.cn/${file}`,
    `https://s3.amazonaws.com/${file}`,
  ]);
});
