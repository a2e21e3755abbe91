import { isObject } from '../../../basics/is-object.ts';
import { at, type Problem } from '../../../basics/problem.ts';
import { cidrProblem } from '../../../model/ipv4-block.ts';
import { cacheEngines, databaseStorage } from '../catalog.ts';
import { maxUserDataBytes } from '../compile/user-data.ts';
import type { Json, Properties, Template, TemplateResource } from '../document.ts';
import { belongsTo, looksLikeType } from '../layout/zone.ts';

/**
 * The last guard: mistakes in a finished template that CloudFormation would notice only after it has begun, and that
 * the tool that checks templates in tests does not see. Paths are those of the template.
 */
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

/** What CloudFormation takes; a template that is too long for a request goes by way of a bucket. */
const most = { bytes: 1_000_000, resources: 500, outputs: 200 } as const;

function sizeProblems(template: Template): Problem[] {
  const sizes = {
    bytes: Buffer.byteLength(JSON.stringify(template)),
    resources: Object.keys(template.Resources).length,
    outputs: Object.keys(template.Outputs).length,
  };
  return (['bytes', 'resources', 'outputs'] as const)
    .filter((what) => sizes[what] > most[what])
    .map((what) => ({
      path: 'layers',
      message: `The stack is too large for CloudFormation: ${sizes[what]} ${what} of at most ${most[what]}. Split it.`,
    }));
}

type MemberCheck = (value: Json, region: string) => string | null;

const typeTrouble: MemberCheck = (value) =>
  typeof value === 'string' && !looksLikeType(value) ? `${value} is not an instance type.` : null;

const blockTrouble: MemberCheck = (value) => {
  const trouble = typeof value === 'string' ? cidrProblem(value) : null;
  return trouble ? `${JSON.stringify(value)} ${trouble}` : null;
};

/** Members that mean the same wherever they stand. */
const memberChecks: Readonly<Record<string, MemberCheck>> = {
  InstanceType: typeTrouble,
  CidrBlock: blockTrouble,
  CidrIp: blockTrouble,
  DestinationCidrBlock: blockTrouble,
  AvailabilityZone: (zone, region) =>
    typeof zone === 'string' && !belongsTo(zone, region) ? `"${zone}" is not a zone of ${region}.` : null,
  OnDemandPercentageAboveBaseCapacity: (percent) =>
    typeof percent === 'number' && percent >= 0 && percent <= 100 ? null : 'It must be from 0 to 100.',
  UserData: (data) => {
    const script = isObject(data) ? data['Fn::Base64'] : data;
    const bytes = typeof script === 'string' ? Buffer.byteLength(script) : 0;
    return bytes > maxUserDataBytes ? `It is ${bytes} bytes long, of at most ${maxUserDataBytes}.` : null;
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

/** CloudFormation puts in its place, wherever it stands, a secret of the account that its role may read. */
const dynamicReference = /\{\{\s*resolve\s*:/i;
const ownReference = /^\{\{resolve:secretsmanager:\$\{DatabaseSecret\w+\}:SecretString:password\}\}$/;

/** Of these, only the ones Almanac writes itself: a name or a path in a document must never be one. */
function referenceProblems(value: unknown, path: string): Problem[] {
  if (typeof value === 'string') {
    const isOwn = path.endsWith('/MasterUserPassword/Fn::Sub') && ownReference.test(value);
    if (isOwn || !dynamicReference.test(value)) return [];
    return [{ path, message: 'It holds {{resolve:, which means a secret of the account. Leave that out.' }];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    referenceProblems(key, path).concat(referenceProblems(member, at(path, key))),
  );
}

const outside = (value: Json | undefined, least: number, greatest: number): boolean =>
  !(Number(value) >= least && Number(value) <= greatest);

/** Members of one kind of resource, and how they go together. */
const serviceChecks: Readonly<Record<TemplateResource['Type'], (properties: Properties) => Problem[]>> = {
  'AWS::RDS::DBInstance': (properties) => {
    const { least, most: greatest } = databaseStorage;
    if (properties['SourceDBInstanceIdentifier'] !== undefined) return [];
    if (!outside(properties['AllocatedStorage'], least, greatest)) return [];
    return [{ path: 'AllocatedStorage', message: `It must be from ${least} to ${greatest} GiB.` }];
  },
  'AWS::ElastiCache::CacheCluster': ({ NumCacheNodes: nodes, AZMode: mode, Engine: engine }) => {
    const maxNodes = engine === 'memcached' ? cacheEngines.memcached.maxNodes : 1;
    const problems: Problem[] = [];
    if (outside(nodes, 1, maxNodes))
      problems.push({ path: 'NumCacheNodes', message: `It must be from 1 to ${maxNodes}.` });
    if (mode === 'cross-az' && nodes === 1)
      problems.push({ path: 'AZMode', message: 'One node cannot be in several zones.' });
    return problems;
  },
  'AWS::ElastiCache::ReplicationGroup': (properties) => {
    const { MultiAZEnabled: multi, AutomaticFailoverEnabled: failover, NumCacheClusters: nodes } = properties;
    const problems: Problem[] = [];
    if (multi === true && failover !== true)
      problems.push({ path: 'MultiAZEnabled', message: 'Several zones need automatic failover.' });
    if (failover === true && nodes === 1)
      problems.push({ path: 'AutomaticFailoverEnabled', message: 'One node has no other to fail over to.' });
    if (outside(nodes, 1, cacheEngines.redis.maxNodes))
      problems.push({
        path: 'NumCacheClusters',
        message: `It must be from 1 to ${cacheEngines.redis.maxNodes}.`,
      });
    return problems;
  },
};
