import { keyPolicy, listedRights, rolePolicy, trustPolicy } from './policy.ts';

const json = (document: object): string => `\`\`\`json\n${JSON.stringify(document, null, 2)}\n\`\`\``;

const introduction = `# Permissions on Alibaba Cloud

<!-- Written by \`npm run docs\` from src/vendors/alicloud/permissions. -->

Almanac needs a key of a RAM user, whose policy is below, and we recommend a RAM role that ROS uses to make the resources of stacks. With the role,
the key in Almanac needs no permission to create or delete a server, a network or a database. \`almanac alicloud-policy\` prints each document as
JSON:

\`\`\`sh
almanac alicloud-policy trust                  # the trust policy of the role
almanac alicloud-policy role                   # its permissions
almanac alicloud-policy key --role almanac-ros # the permissions of the key
\`\`\`

Without a role, ROS uses the permissions of the key: give it \`almanac alicloud-policy key\` and \`almanac alicloud-policy role\`.
No account was available to try these policies: the actions of the key are exactly the calls that Almanac makes, those of the role are what ROS has to
call for the types of resources in templates. If ROS reports \`Forbidden.RAM\` or \`NoPermission\`, its message names the action that is missing.`;

const callTable = (): string =>
  `## Calls

| Action | Almanac | Limited to |
|---|---|---|
${listedRights()
  .toSorted((one, other) => (one.action < other.action ? -1 : 1))
  .map(
    ({ action, purpose, scope }) =>
      `| \`${action}\` | ${purpose} | ${scope === 'ownSecrets' ? 'secrets named `almanac/…`' : ''} |`,
  )
  .join('\n')}

\`sts:GetCallerIdentity\`, with which a key is verified when it is saved, needs no permission. RAM knows ROS stacks by their ids, not by their names, so
the actions of ROS cannot be limited to stacks of Almanac.`;

/** docs/vendors/alicloud-permissions.md, from the tables of calls and resource types. */
export const permissionsPage = (): string =>
  `${[
    introduction,
    `## Policy of the key\n\n${json(keyPolicy('almanac-ros'))}`,
    `## Policy of the role\n\n${json(rolePolicy())}`,
    `## Trust policy of the role\n\n${json(trustPolicy())}`,
    callTable(),
  ].join('\n\n')}\n`;
