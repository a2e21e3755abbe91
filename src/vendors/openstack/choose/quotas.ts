import type { Problem } from '../../../basics/problem.ts';
import type { OpenStackDocument, Template, TemplateResource } from '../document.ts';
import type { QuotaName, Quotas } from './cloud-facts.ts';
import { quotaNames } from './cloud-facts.ts';

type Use = Partial<Record<QuotaName, number>>;

/** What one resource of a type uses. */
const uses: Readonly<Record<string, Use>> = {
  'OS::Neutron::Net': { networks: 1 },
  'OS::Neutron::Subnet': { subnets: 1 },
  'OS::Neutron::Router': { routers: 1 },
  'OS::Neutron::RouterInterface': { ports: 1 },
  'OS::Neutron::Port': { ports: 1 },
  'OS::Neutron::FloatingIP': { floatingIps: 1 },
  'OS::Neutron::SecurityGroup': { securityGroups: 1 },
  'OS::Nova::Server': { servers: 1 },
  'OS::Nova::KeyPair': { keyPairs: 1 },
  'OS::Octavia::LoadBalancer': { loadBalancers: 1, ports: 1 },
};

const add = (one: Use, other: Use, times = 1): Use => {
  const sum: Use = { ...one };
  for (const name of quotaNames) {
    const more = (other[name] ?? 0) * times;
    if (more !== 0) sum[name] = (sum[name] ?? 0) + more;
  }
  return sum;
};

/** One that exists already is used already. */
const volumeUse = ({ external_id: id }: TemplateResource, volumeGib: number): Use =>
  id === undefined ? { volumes: 1, volumeGib } : {};

/** A group starts at its smallest size. */
function useOf(resource: TemplateResource, files: OpenStackDocument['files']): Use {
  const { properties = {} } = resource;
  const size = typeof properties['size'] === 'number' ? properties['size'] : 0;
  const own = resource.type === 'OS::Cinder::Volume' ? volumeUse(resource, size) : uses[resource.type];
  if (resource.type !== 'OS::Heat::AutoScalingGroup') return own ?? {};
  const member = properties['resource'] as { type: string; properties?: { volume_size?: number } };
  const template = files[member.type];
  if (!template) return {};
  const each = add(templateUse(template, {}), { volumeGib: member.properties?.volume_size ?? 0 });
  return add({}, each, Number(properties['min_size'] ?? 0));
}

const templateUse = ({ resources }: Template, files: OpenStackDocument['files']): Use =>
  Object.values(resources).reduce<Use>((sum, resource) => add(sum, useOf(resource, files)), {});

/** CPUs and memory of servers, by the flavors in the choices. */
function flavorUse({ template, choices }: OpenStackDocument): Use {
  const flavors = [...Object.values(choices.servers), ...Object.values(choices.caches)].map(
    ({ flavor }) => flavor,
  );
  const named = (name: unknown) => flavors.find((flavor) => flavor.name === name);
  return Object.values(template.resources).reduce<Use>((sum, { type, properties = {} }) => {
    const isGroup = type === 'OS::Heat::AutoScalingGroup';
    const member = properties['resource'] as { properties?: { flavor?: unknown } } | undefined;
    const flavor = named(isGroup ? member?.properties?.flavor : properties['flavor']);
    if (!flavor || (type !== 'OS::Nova::Server' && !isGroup)) return sum;
    const times = isGroup ? Number(properties['min_size'] ?? 0) : 1;
    return add(sum, { cpus: flavor.cpus, memoryMib: flavor.memoryMib }, times);
  }, {});
}

/** Of a whole stack. */
const documentUse = (document: OpenStackDocument | null): Use =>
  document
    ? add(add(templateUse(document.template, document.files), flavorUse(document)), { stacks: 1 })
    : {};

const words: Readonly<Record<QuotaName, string>> = {
  networks: 'networks',
  subnets: 'subnets',
  routers: 'routers',
  ports: 'ports',
  floatingIps: 'floating IP addresses',
  securityGroups: 'security groups',
  servers: 'servers',
  cpus: 'CPUs',
  memoryMib: 'memory (MiB)',
  keyPairs: 'key pairs',
  volumes: 'volumes',
  volumeGib: 'disk space (GiB)',
  loadBalancers: 'load balancers',
  stacks: 'stacks',
};

/** What the project may not have in addition. A version that needs no more of something is never refused for it. */
export function quotaProblems(
  after: OpenStackDocument,
  before: OpenStackDocument | null,
  quotas: Quotas,
): Problem[] {
  const [wanted, existing] = [documentUse(after), documentUse(before)];
  return quotaNames.flatMap((name) => {
    const quota = quotas[name];
    const more = (wanted[name] ?? 0) - (existing[name] ?? 0);
    if (!quota || more <= 0 || quota.used + more <= quota.limit) return [];
    const free = Math.max(0, quota.limit - quota.used);
    const message = `The project has reached its limit of ${words[name]}: it may have ${quota.limit}, ${free} of them are free, and the stack needs ${more} more. Ask for more, or delete a stack.`;
    return [{ path: 'vendor', message }];
  });
}
