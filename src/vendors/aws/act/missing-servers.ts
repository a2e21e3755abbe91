import type { Json, Template } from '../document.ts';
import { callAws } from '../errors.ts';
import { readResources } from '../observe/list-resources.ts';
import type { CloudStack } from '../observe/list-stacks.ts';
import type { Region } from '../region.ts';

const serverType = 'AWS::EC2::Instance';

/** Servers of a template, by logical id, that CloudFormation takes for existing but that were terminated outside it. */
export async function findMissingServers(
  region: Region,
  stack: CloudStack,
  template: Template,
): Promise<string[]> {
  const isServer = (id: string): boolean => template.Resources[id]?.Type === serverType;
  if (!Object.keys(template.Resources).some(isServer)) return [];
  const known = [...(await readServers(region, stack))].filter(([id]) => isServer(id));
  // Read after CloudFormation: a server that it just launched is not missing.
  const present = await readPresent(
    region,
    known.map(([, server]) => server),
  );
  return known.filter(([, server]) => !present.has(server)).map(([id]) => id);
}

/** EC2 accepts at most 200 values in a filter. */
const batchSize = 200;
const gone = new Set(['shutting-down', 'terminated']);

/** The servers that exist, by their ids: anyone can remove a tag. A filter, because EC2 rejects a list with an unknown id. */
async function readPresent({ clients }: Region, servers: readonly string[]): Promise<Set<string>> {
  const ec2 = await clients.ec2();
  const present = new Set<string>();
  for (let from = 0; from < servers.length; from += batchSize) {
    const Values = servers.slice(from, from + batchSize);
    const { Reservations = [] } = await callAws(() =>
      ec2.describeInstances({ Filters: [{ Name: 'instance-id', Values }] }),
    );
    for (const { InstanceId = '', State } of Reservations.flatMap(({ Instances = [] }) => Instances))
      if (!gone.has(State?.Name ?? '')) present.add(InstanceId);
  }
  return present;
}

/** Physical ids of the stack's servers outside groups, by logical id. */
async function readServers(region: Region, stack: CloudStack): Promise<Map<string, string>> {
  const servers = new Map<string, string>();
  for (const { ResourceType, LogicalResourceId = '', PhysicalResourceId } of await readResources(
    region,
    stack,
  ))
    if (ResourceType === serverType && PhysicalResourceId) servers.set(LogicalResourceId, PhysicalResourceId);
  return servers;
}

/** Whether a value refers to one of the resources. */
function refersTo(value: Json, ids: ReadonlySet<string>): boolean {
  if (Array.isArray(value)) return value.some((element: Json) => refersTo(element, ids));
  if (typeof value !== 'object' || value === null) return typeof value === 'string' && ids.has(value);
  return Object.values(value).some((member) => refersTo(member, ids));
}

/** Drops entries of lists, such as targets of a load balancer, that refer to one of the resources. */
function prune(value: Json, ids: ReadonlySet<string>): Json {
  if (Array.isArray(value))
    return value
      .filter((element: Json) => !refersTo(element, ids))
      .map((element: Json) => prune(element, ids));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, prune(member, ids)]));
}

/** The template without some servers, and without what refers to them. */
export function withoutServers(template: Template, servers: readonly string[]): Template {
  const ids = new Set(servers);
  const resources = Object.entries(template.Resources).filter(([id]) => !ids.has(id));
  const outputs = Object.entries(template.Outputs).filter(([, { Value }]) => !refersTo(Value, ids));
  return {
    ...template,
    Resources: prune(
      Object.fromEntries(resources) as unknown as Json,
      ids,
    ) as unknown as Template['Resources'],
    Outputs: Object.fromEntries(outputs),
  };
}
