import { type PolicyInput, typesWith } from './key-policy.ts';
import { allow, type Policy, type PolicyStatement, policyOf } from './policy.ts';
import { resourceTypes } from './resource-types.ts';
import { areaOf, type RoleArea, roleAreas } from './role-areas.ts';
import type { Partition } from './scopes.ts';

/** The policy of the role with which CloudFormation creates the resources of templates. */
export function rolePolicy({ partition, features }: PolicyInput): Policy {
  const used = new Set<RoleArea>(
    typesWith(['stacks', ...features]).flatMap((type) => resourceTypes[type].areas),
  );
  // In the order of the table.
  const areas = (Object.keys(roleAreas) as RoleArea[]).filter((area) => used.has(area));
  return policyOf([
    ...areas.flatMap((area) => statementsOf(area, partition)),
    serviceRoles(
      areas.flatMap((area) => areaOf(area).serviceRoles ?? []),
      partition,
    ),
  ]);
}

const statementsOf = (area: RoleArea, partition: Partition): PolicyStatement[] =>
  areaOf(area).statements.map(({ sid, actions, resources, condition }) =>
    allow({
      sid,
      actions,
      resources: resources?.map((resource) => `arn:${partition}:${resource}`) ?? ['*'],
      condition: condition?.(partition),
    }),
  );

/** Service-linked roles, which AWS creates at the first use of a service. Their services have the same name everywhere. */
const serviceRoles = (services: readonly string[], partition: Partition): PolicyStatement =>
  allow({
    sid: 'LetServicesCreateTheirRoles',
    actions: ['iam:CreateServiceLinkedRole'],
    resources: [`arn:${partition}:iam::*:role/aws-service-role/*`],
    condition: {
      StringEquals: {
        'iam:AWSServiceName': services.map((service) => `${service}.amazonaws.com`).toSorted(),
      },
    },
  });

interface TrustStatement {
  Sid: string;
  Effect: 'Allow';
  Principal: { Service: string };
  Action: 'sts:AssumeRole';
}

/**
 * Who may use the role. The principal of CloudFormation ends with `amazonaws.com` in all partitions; that of EC2, in
 * templates, ends with `amazonaws.com.cn` in China.
 */
export const trustPolicy = (): Policy<TrustStatement> =>
  policyOf([
    {
      Sid: 'LetCloudFormationUseTheRole',
      Effect: 'Allow',
      Principal: { Service: 'cloudformation.amazonaws.com' },
      Action: 'sts:AssumeRole',
    },
  ]);
