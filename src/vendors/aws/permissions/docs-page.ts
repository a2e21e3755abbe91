import { calls, rightsOf } from './calls.ts';
import { features, type OptionalFeature, optionalFeatures } from './features.ts';
import { keyPolicy, neededRights } from './key-policy.ts';
import { rolePolicy, trustPolicy } from './role-policy.ts';
import { defaultRoleArn, type Scope, scopedTo } from './scopes.ts';

/** docs/vendors/aws-permissions.md, from the tables of calls and resource types. */
export const permissionsPage = (): string =>
  `${[introduction, variants(), keySection(), roleSection(), otherPartitions, callTable(), typeNote].join('\n\n')}\n`;

const introduction = `# Permissions on AWS

<!-- Written by \`npm run docs\` from src/vendors/aws/permissions. -->

Almanac needs a key, whose policy is below, and we recommend a role that CloudFormation uses to create the resources of stacks. With
the role, the key in Almanac needs no permission to create or delete a server, a network or a database. \`almanac aws-policy\` prints each
document as JSON:

\`\`\`sh
almanac aws-policy trust > trust.json
almanac aws-policy role  > role.json
aws iam create-role --role-name almanac-cloudformation --assume-role-policy-document file://trust.json
aws iam put-role-policy --role-name almanac-cloudformation --policy-name almanac --policy-document file://role.json

almanac aws-policy key --role-arn arn:aws:iam::123456789012:role/almanac-cloudformation > key.json
aws iam create-policy --policy-name almanac --policy-document file://key.json
aws iam attach-user-policy --user-name almanac --policy-arn arn:aws:iam::123456789012:policy/almanac
\`\`\`

Save the ARN of the role as \`AWSRoleArn\` with the key ([credentials.md](../credentials.md)). Without a role, CloudFormation uses the
permissions of the key: give it \`almanac aws-policy key --without-role\` and \`almanac aws-policy role\`.`;

const code = (text: string): string => `\`${text}\``;
const json = (document: object): string => `\`\`\`json\n${JSON.stringify(document, null, 2)}\n\`\`\``;

const sortedActions = (actions: readonly string[]): string =>
  [...new Set(actions)].toSorted().map(code).join(', ');

/** The actions that a feature adds to the minimal policy. Drift also reads databases and caches, if the key has these features. */
function actionsOf(feature: OptionalFeature): string {
  const minimal = new Set(neededRights([]).map(({ action, scope }) => `${action} ${scope}`));
  return sortedActions(
    neededRights([feature])
      .filter(({ action, scope }) => !minimal.has(`${action} ${scope}`))
      .map(({ action }) => action),
  );
}

const variants = (): string =>
  `## Variants

\`--variant full\` (the default) allows everything that Almanac can do. \`--variant minimal\` allows ${features.stacks}; \`--feature\`,
which can be repeated, adds one of these features. Without its permissions, a feature fails with an error that names them (a preview
then has only Almanac's own comparison), and everything else works.

| Feature | Needed for | Actions of the key |
|---|---|---|
${optionalFeatures.map((feature) => `| ${code(feature)} | ${features[feature]} | ${actionsOf(feature)} |`).join('\n')}

In a drift check, CloudFormation reads each resource with the permissions of the key; the actions for databases and caches are added
with those features.`;

const keySection = (): string => `## The policy of the key

With all features. Replace the ARN of the role by yours, or pass it as \`--role-arn\`.

${json(keyPolicy({ partition: 'aws', roleArn: defaultRoleArn('aws'), features: optionalFeatures }))}

Minimal:

${json(keyPolicy({ partition: 'aws', roleArn: defaultRoleArn('aws'), features: [] }))}`;

const roleSection = (): string => `## The policy of the role

The role trusts only CloudFormation:

${json(trustPolicy())}

It may create the resources of templates. \`--variant minimal\` omits databases and caches. If the account encrypts volumes with a
customer managed key by default, the role also needs permission to use that key.

${json(rolePolicy({ partition: 'aws', features: optionalFeatures }))}

The names of secrets start with \`DatabaseSecret\`; the role can read no other secrets. It can create roles of servers only under
\`/almanac/\`, and pass them only to EC2, but nothing limits the permissions in them: templates set no permissions boundary. Anyone
with the key can have CloudFormation create such a role, so protect the key like an administrator's, or use a separate AWS account
for Almanac.`;

const otherPartitions = `## China and GovCloud

\`--partition aws-cn\` and \`--partition aws-us-gov\` write the ARNs of these partitions; a \`--role-arn\` implies its partition. The principal
of CloudFormation in the trust policy is \`cloudformation.amazonaws.com\` everywhere. The roles of servers in templates trust
\`ec2.amazonaws.com.cn\` in China, and \`ec2.amazonaws.com\` elsewhere. The conditions on \`iam:PassedToService\` accept both forms in China.`;

const scopeText = (scope: Scope): string => {
  const { resources, condition } = scopedTo(scope, { partition: 'aws', roleArn: 'the role' });
  return `${resources.map(code).join(', ')}${condition ? `, if ${conditionText(condition)}` : ''}`;
};

const conditionText = (condition: object): string =>
  Object.values(condition)
    .flatMap((test: object) =>
      Object.entries(test).map(([key, value]) => `${code(key)} is ${code(String(value))}`),
    )
    .join(' and ');

const callTable = (): string => {
  const rows = Object.entries(calls).flatMap(([service, methods]) =>
    Object.keys(methods).flatMap((method) =>
      (rightsOf(service, method) ?? []).map(
        ({ action, scope, feature, purpose }) =>
          `| ${code(`${service} ${method}`)} | ${code(action)} | ${scopeText(scope)} | ${code(feature)} | ${purpose} |`,
      ),
    ),
  );
  return `## Every call

All calls that Almanac makes with the key. It cannot make others: they are refused before they are sent.

| Call | Action | Resources | Feature | Purpose |
|---|---|---|---|---|
${rows.join('\n')}
| \`sts getCallerIdentity\` | none | | | checks the key, and reads its account number |`;
};

const typeNote = `Conditions and resources are by our reading of AWS's documentation: see [test coverage](aws.md#test-coverage).`;
