import { v2Bases, v2Samples, v3Bases, v3Samples } from './bases.ts';
import type { Effects } from './effects.ts';
import { type Explanations, v2Explanations, v3Explanations } from './explanations.ts';
import { v2, v3 } from './languages.ts';
import { type TracedMember, traceMembers } from './trace.ts';

/** A member, and what it changes on AWS or why it changes nothing. */
interface DocumentedMember extends TracedMember {
  /** Undefined: the member has no effect, and nobody says why. */
  explanation: string | undefined;
}

const explain = (members: readonly TracedMember[], explanations: Explanations): DocumentedMember[] =>
  members.map((member) => ({
    path: member.path,
    effects: member.effects,
    explanation:
      member.effects.size > 0 ? '' : explanations.find(([pattern]) => pattern.test(member.path))?.[1],
  }));

/** Every member of both languages. Takes some seconds: it compiles a document for each value of each member. */
export const documentedMembers = () => ({
  v3: explain(traceMembers(v3, v3Bases, v3Samples), v3Explanations),
  v2: explain(traceMembers(v2, v2Bases, v2Samples), v2Explanations),
});

const code = (text: string): string => `\`${text}\``;

const wholeResources = (effects: Effects): string =>
  [...effects]
    .filter(([, properties]) => properties.has(''))
    .map(([type]) => code(type))
    .toSorted()
    .join('<br>');

const changedProperties = (effects: Effects): string =>
  [...effects]
    .map(([type, properties]) => [type, [...properties].filter((property) => property !== '')] as const)
    .filter(([, properties]) => properties.length > 0)
    .map(([type, properties]) => `${code(type)}: ${properties.toSorted().map(code).join(', ')}`)
    .toSorted()
    .join('<br>');

const row = ({ path, effects, explanation }: DocumentedMember): string =>
  effects.size === 0
    ? `| ${code(path)} | | ${explanation ?? 'no effect'} |`
    : `| ${code(path)} | ${wholeResources(effects)} | ${changedProperties(effects)} |`;

const table = (members: readonly DocumentedMember[]): string =>
  ['| Member | Creates and removes | Changes |', '|---|---|---|', ...members.map(row)].join('\n');

/** The text of docs/vendors/aws-members.md. */
export function membersPage({
  v3: template,
  v2: configuration,
}: ReturnType<typeof documentedMembers>): string {
  return `# Members and AWS properties

What every member of a document changes on AWS. This page is generated (\`npm run docs\`): Almanac changes each member of sample documents in
turn, compiles them, and compares the CloudFormation templates. A member can change more than its own property: a private subnet,
for example, gets a NAT gateway. Paths separate member names with \`/\`; \`*\` stands for every entry of a list. \`Outputs\` are the outputs of the
stack. Explicit dependencies between resources are left out.

## Templates (v3)

${table(template)}

## Configurations (v2)

\`server\` are the settings of the servers ([v2-configuration.md](../v2-configuration.md)).

${table(configuration)}
`;
}
