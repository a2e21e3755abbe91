import { at, type Problem } from '../../../basics/problem.ts';
import { cidrProblem } from '../../../model/ipv4-block.ts';
import { cacheEngines, databaseStorage } from '../catalog.ts';
import { maxUserDataBytes } from '../compile/user-data.ts';
import type { Json, Properties, Template, TemplateResource } from '../document.ts';
import { belongsTo, looksLikeType } from '../layout/zone.ts';

/** The part of the model that each resource was made from, by logical id. */
type Sources = ReadonlyMap<string, string>;

/**
 * Final check of a compiled template: errors that CloudFormation reports only after it has started, and that the linter
 * in the tests does not find. The path is the one in the model; the message contains the place in the template.
 */
export const compiledProblems = (template: Template, region: string, sources: Sources): Problem[] =>
  templateProblems(template, region).map(({ path, message }) => {
    const [section, id = ''] = path.split('/');
    if (section === 'layers') return { path, message };
    return {
      path: sources.get(id) ?? 'layers',
      message: `${message} (${path} of the CloudFormation template)`,
    };
  });

/** Paths refer to the template. */
export const templateProblems = (template: Template, region: string): Problem[] => [
  ...Object.entries(template.Resources).flatMap(([id, resource]) =>
    resourceProblems(resource, at('Resources', id, 'Properties'), region),
  ),
  ...referenceProblems(template, ''),
  ...sizeProblems(template),
];

function resourceProblems(
  { Type, Properties: properties = {} }: TemplateResource,
  path: string,
  region: string,
) {
  const problems = memberProblems(properties, path, region);
  for (const { path: member, message } of serviceChecks[Type]?.(properties) ?? [])
    problems.push({ path: at(path, member), message });
  return problems;
}

/** Limits of CloudFormation for a template in a bucket. */
const limits = { bytes: 1_000_000, resources: 500, outputs: 200 } as const;

function sizeProblems(template: Template): Problem[] {
  const sizes = {
    bytes: Buffer.byteLength(JSON.stringify(template)),
    resources: Object.keys(template.Resources).length,
    outputs: Object.keys(template.Outputs).length,
  };
  return (['bytes', 'resources', 'outputs'] as const)
    .filter((unit) => sizes[unit] > limits[unit])
    .map((unit) => ({
      path: 'layers',
      message: `The stack is too large for CloudFormation: ${sizes[unit]} ${unit}, maximum ${limits[unit]}. Split it.`,
    }));
}

type MemberCheck = (value: Json, region: string) => string | null;

const typeMessage: MemberCheck = (value) =>
  typeof value === 'string' && !looksLikeType(value) ? `Invalid instance type ${value}.` : null;

const blockMessage: MemberCheck = (value) => {
  const cidrError = typeof value === 'string' ? cidrProblem(value) : null;
  return cidrError ? `${JSON.stringify(value)} ${cidrError}` : null;
};

/** A text, or the texts that a Fn::Join joins. */
const textIn = (value: Json): string =>
  typeof value === 'object' && value !== null ? Object.values(value).map(textIn).join('') : String(value);

/** Members with the same meaning in every resource. */
const memberChecks: Readonly<Record<string, MemberCheck>> = {
  InstanceType: typeMessage,
  CidrBlock: blockMessage,
  CidrIp: blockMessage,
  DestinationCidrBlock: blockMessage,
  AvailabilityZone: (zone, region) =>
    typeof zone === 'string' && !belongsTo(zone, region) ? `"${zone}" is not a zone of ${region}.` : null,
  OnDemandPercentageAboveBaseCapacity: (percent) =>
    typeof percent === 'number' && percent >= 0 && percent <= 100 ? null : 'Must be between 0 and 100.',
  UserData: (data) => {
    const bytes = Buffer.byteLength(textIn(data));
    return bytes > maxUserDataBytes ? `Too long: ${bytes} bytes, maximum ${maxUserDataBytes}.` : null;
  },
};

function memberProblems(value: Json, path: string, region: string): Problem[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value as Properties).flatMap(([key, member]) => {
    const problems = memberProblems(member, at(path, key), region);
    const message = memberChecks[key]?.(member, region);
    if (message) problems.push({ path: at(path, key), message });
    return problems;
  });
}

/** CloudFormation replaces this, anywhere in a template, by a secret of the account that its role may read. */
const dynamicReference = /\{\{\s*resolve\s*:/i;
const ownReference = /^\{\{resolve:secretsmanager:\$\{DatabaseSecret\w+\}:SecretString:password\}\}$/;

/** Allows only the references Almanac writes itself: a name or a path in a document must never contain one. */
function referenceProblems(value: unknown, path: string): Problem[] {
  if (typeof value === 'string') {
    const isOwn = path.endsWith('/MasterUserPassword/Fn::Sub') && ownReference.test(value);
    if (isOwn || !dynamicReference.test(value)) return [];
    return [{ path, message: 'Must not contain {{resolve:, which refers to a secret of the account.' }];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    referenceProblems(key, path).concat(referenceProblems(member, at(path, key))),
  );
}

const isOutside = (value: Json | undefined, min: number, max: number): boolean =>
  !(Number(value) >= min && Number(value) <= max);

/** Checks of members of one resource type, and of their combinations. */
const serviceChecks: Readonly<Record<TemplateResource['Type'], (properties: Properties) => Problem[]>> = {
  'AWS::RDS::DBInstance': (properties) => {
    const { minGib, maxGib } = databaseStorage;
    if (properties['SourceDBInstanceIdentifier'] !== undefined) return [];
    if (!isOutside(properties['AllocatedStorage'], minGib, maxGib)) return [];
    return [{ path: 'AllocatedStorage', message: `Must be between ${minGib} and ${maxGib} GiB.` }];
  },
  'AWS::ElastiCache::CacheCluster': ({ NumCacheNodes: nodes, AZMode: mode, Engine: engine }) => {
    const maxNodes = engine === 'memcached' ? cacheEngines.memcached.maxNodes : 1;
    const problems: Problem[] = [];
    if (isOutside(nodes, 1, maxNodes))
      problems.push({ path: 'NumCacheNodes', message: `Must be between 1 and ${maxNodes}.` });
    if (mode === 'cross-az' && nodes === 1)
      problems.push({ path: 'AZMode', message: 'A single node cannot be in several zones.' });
    return problems;
  },
  'AWS::ElastiCache::ReplicationGroup': (properties) => {
    const { MultiAZEnabled: multi, AutomaticFailoverEnabled: failover, NumCacheClusters: nodes } = properties;
    const problems: Problem[] = [];
    if (multi === true && failover !== true)
      problems.push({ path: 'MultiAZEnabled', message: 'Several zones require automatic failover.' });
    if (failover === true && nodes === 1)
      problems.push({
        path: 'AutomaticFailoverEnabled',
        message: 'Automatic failover requires more than one node.',
      });
    if (isOutside(nodes, 1, cacheEngines.redis.maxNodes))
      problems.push({
        path: 'NumCacheClusters',
        message: `Must be between 1 and ${cacheEngines.redis.maxNodes}.`,
      });
    return problems;
  },
};
