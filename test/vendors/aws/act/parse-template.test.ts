import { describe, expect, it } from 'vitest';
import { parseTemplate } from '../../../../src/vendors/aws/act/parse-template.ts';

const yaml = `
AWSTemplateFormatVersion: 2010-09-09
Parameters:
  Version: { Type: String }
Resources:
  Databaseapp: # written by hand
    Type: AWS::RDS::DBInstance
    DeletionPolicy: Delete
    Properties:
      AllocatedStorage: 20
      MultiAZ: false
      DBSubnetGroupName: !Ref Subnets
      VPCSecurityGroups: [!GetAtt Group.GroupId, !GetAtt [Other, GroupId]]
      KmsKeyId: !Sub arn:aws:kms:eu-west-1:012345678901:\${Version}
      MasterUsername: !If [IsNew, root, !Join ['-', [a, !Ref Version]]]
      SourceAccount: 012345678901
`;

describe('a template that CloudFormation returns', () => {
  it('is read from YAML with short calls as it would be written in JSON', () => {
    expect(parseTemplate(yaml)).toEqual({
      AWSTemplateFormatVersion: '2010-09-09',
      Parameters: { Version: { Type: 'String' } },
      Resources: {
        Databaseapp: {
          Type: 'AWS::RDS::DBInstance',
          DeletionPolicy: 'Delete',
          Properties: {
            AllocatedStorage: 20,
            MultiAZ: false,
            DBSubnetGroupName: { Ref: 'Subnets' },
            VPCSecurityGroups: [
              { 'Fn::GetAtt': ['Group', 'GroupId'] },
              { 'Fn::GetAtt': ['Other', 'GroupId'] },
            ],
            KmsKeyId: { 'Fn::Sub': 'arn:aws:kms:eu-west-1:012345678901:${Version}' },
            MasterUsername: { 'Fn::If': ['IsNew', 'root', { 'Fn::Join': ['-', ['a', { Ref: 'Version' }]] }] },
            SourceAccount: '012345678901',
          },
        },
      },
    });
  });

  it('is read from JSON unchanged', () => {
    const template = {
      Resources: { A: { Type: 'AWS::EC2::VPC', Properties: { CidrBlock: '10.0.0.0/16' } } },
    };
    expect(parseTemplate(JSON.stringify(template))).toEqual(template);
  });

  it.each([
    ['nothing', '', 'no resources'],
    ['a list', '[1]', 'no resources'],
    ['text without structure', 'hello', 'no resources'],
    ['broken YAML', 'Resources: {a', 'cannot be read'],
    ['an alias', 'Resources: { A: &a { Type: x }, B: *a }', 'aliases'],
    ['an alias of itself', 'Resources: &a { A: *a }', 'aliases'],
    ['a loop of resources', 'Resources: { "Fn::ForEach::All": [x, [1], {}] }', 'loops'],
  ])('is refused with what to do if it is %s', (_, text, reason) => {
    expect(() => parseTemplate(text)).toThrow(
      new RegExp(`${reason}.*Update the stack with its current document`),
    );
  });
});
