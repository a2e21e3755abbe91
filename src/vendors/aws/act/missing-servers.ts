import type { Json, Template } from '../document.ts';
import type { CloudStack } from '../observe/list-stacks.ts';
import type { Region } from '../region.ts';
import { readResources } from './live-stack.ts';

const serverType = 'AWS::EC2::Instance';

/** Servers of a template, by logical id, that CloudFormation takes for existing but that were terminated outside it. */
export async function findMissingServers(
  region: Region,
  stack: CloudStack,
  template: Template,
): Promise<string[]> {
  const isServer = (id: string): boolean => template.Resources[id]?.Type === serverType;
  if (!Object.keys(template.Resources).some(isServer)) return [];
  const known = await readServers(region, stack);
  if (known.size === 0) return [];
  // Read after CloudFormation: a server that it just launched is not missing.
  const { value: instances } = await region.instances.get(0);
  const gone = new Set(['shutting-down', 'terminated']);
  const existing = (instances.get(stack.stackId) ?? []).filter(({ state }) => !gone.has(state));
  const present = new Set(existing.map(({ id }) => id));
  return [...known].filter(([id, server]) => isServer(id) && !present.has(server)).map(([id]) => id);
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
