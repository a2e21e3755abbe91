import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Layer, StackModel } from '../../../../src/model/stack-model.ts';
import type { Offer } from '../../../../src/vendors/openstack/choose/offer.ts';
import { fixedServers, sampleDatabase, sampleGroup, sampleLayer, sampleModel } from '../../sample-model.ts';
import { problemsOf as problemsOfChoices } from '../choose-world.ts';
import { documentOf, problemsOf } from '../compile-world.ts';
import { fullOffer, image } from '../offer.ts';

const group = sampleGroup(2, 0);
const balancer = group.loadBalancer as NonNullable<Layer['loadBalancer']>;

const grouped = (changes: Partial<Layer> = {}): StackModel =>
  sampleModel({ layers: [{ ...group, ...changes }] });
const zonesOf = (zones: readonly string[]): StackModel =>
  grouped({ capacity: { ...group.capacity, zones } as Layer['capacity'] });
const listening = (protocol: 'https' | 'ssl', certificateDomain: string | null): StackModel =>
  grouped({
    loadBalancer: {
      ...balancer,
      listeners: [{ port: 443, protocol, instancePort: 80, instanceProtocol: 'http', certificateDomain }],
    },
  });
const checked = (changes: Partial<typeof balancer.healthCheck>): StackModel =>
  grouped({ loadBalancer: { ...balancer, healthCheck: { ...balancer.healthCheck, ...changes } } });
const database = (changes: Parameters<typeof sampleDatabase>[0] = {}): StackModel =>
  sampleModel({ databases: [sampleDatabase(changes)] });
const volume = (sizeGib: number): StackModel => fixedServers(1, { volume: { type: null, sizeGib } });
const contained = (changes: Partial<NonNullable<Layer['container']>>): StackModel => {
  const { layers } = JSON.parse(
    readFileSync(new URL('../../golden/everything.model.json', import.meta.url), 'utf8'),
  ) as StackModel;
  const { container } = layers[0] as Layer;
  return sampleModel({
    layers: [
      sampleLayer({
        container: container && { ...container, codeSource: 'git', storage: null, ports: [80], ...changes },
      }),
    ],
  });
};
const without = (service: string): Partial<Offer> => ({
  services: new Set([...fullOffer().services].filter((each) => each !== service)),
});

type Said = (readonly { message: string }[])[];

/** Every row of the table of rejections in the page, and what is answered to templates of this kind. */
const rows: Readonly<Record<string, { answers: () => Promise<Said>; says: readonly RegExp[] }>> = {
  'a `network_acl` that restricts more than the security group': {
    answers: async () => [
      problemsOf(
        fixedServers(1, {
          networkAcl: [{ number: 100, protocol: '-1', action: 'deny', egress: false, cidr: '10.0.0.0/8' }],
        }),
      ),
    ],
    says: [/OpenStack has no network ACLs.* Write the rule in the security group\.$/],
  },
  'several `availability_zones` of a group': {
    answers: async () => [problemsOf(zonesOf(['a', 'b']))],
    says: [/a group runs in one zone, not in 2\. Name one, or none and let the cloud choose\.$/],
  },
  '`multi_az` of a database': {
    answers: async () => [problemsOf(database({ multiZone: true }))],
    says: [/no databases with a copy in a second zone\. Leave it out, and back up the database\.$/],
  },
  '`replica` of a database': {
    answers: async () => [problemsOf(database({ replicas: 1 }))],
    says: [/Heat cannot make read replicas on OpenStack\. Leave them out, or read from a cache\.$/],
  },
  '`ssl` listeners': {
    answers: async () => [problemsOf(listening('ssl', 'a.test'))],
    says: [/cannot end ssl at a load balancer of OpenStack\. Use tcp, and let the servers decrypt\.$/],
  },
  '`https` without a key manager, or without a certificate of that name in it': {
    answers: async () => [
      await problemsOfChoices(listening('https', 'a.test'), without('key-manager')),
      problemsOf(listening('https', 'a.test'), { offer: { certificates: [] } }),
    ],
    says: [
      /no key manager \(Barbican\).* Use tcp, and let the servers decrypt\.$/,
      /no certificate named a\.test\. Store one there under this name\.$/,
    ],
  },
  '`container_storage` of type `efs`': {
    answers: async () => [problemsOf(contained({ storage: { kind: 'efs', path: '/data' } as never }))],
    says: [
      /efs storage is not supported on OpenStack.* Use local storage, or store files in an object store\.$/,
    ],
  },
  'code in an object store': {
    answers: async () => [
      problemsOf(contained({ codeSource: 'object_store', gitRepository: 's3://bucket/code.zip' })),
    ],
    says: [
      /no role with which they could read an object store\. Use a git repository, or put the code into the image\.$/,
    ],
  },
  'a smaller volume or database, another size of the volumes of a group': {
    answers: async () => [
      problemsOf(volume(20), { kept: documentOf(volume(30)).choices }),
      problemsOf(database({ storageGib: 20 }), { kept: documentOf(database({ storageGib: 30 })).choices }),
    ],
    says: [
      /cannot shrink a volume: this one has 30 GiB\. Ask for no less, or use a layer with another name\.$/,
      /cannot shrink a database.* Ask for no less\.$/,
    ],
  },
  'a volume that is smaller than its image needs, a database outside 1 to 150 GiB': {
    answers: async () => [
      await problemsOfChoices(volume(10), { images: [image('debian-12', { minDiskGib: 40 })] }),
      problemsOf(database({ storageGib: 151 })),
    ],
    says: [
      /needs 40 GiB, more than the volume has\. Use a larger one\.$/,
      /between 1 and 150 GiB on OpenStack, not 151\.$/,
    ],
  },
  'a health check with more than 10 successes, or a timeout as long as the interval': {
    answers: async () => [
      problemsOf(checked({ healthyThreshold: 11 })),
      problemsOf(checked({ timeoutSeconds: 10, intervalSeconds: 10 })),
    ],
    says: [/Must be at most 10 on OpenStack, not 11\.$/, /Must be less than the interval, 10\.$/],
  },
  'tag names with characters other than letters, digits, spaces and `- _ : .`': {
    answers: async () => [problemsOf(sampleModel({ tags: { 'a/b': 'c' } }))],
    says: [/Use letters, digits, spaces and - _ : \. only\.$/],
  },
  'load balancers, databases or volumes on a cloud without Octavia, Trove or Cinder': {
    answers: async () => [
      await problemsOfChoices(grouped(), without('load-balancer')),
      await problemsOfChoices(database(), without('database')),
      await problemsOfChoices(volume(30), without('volumev3')),
    ],
    says: [
      /no load balancers \(Octavia\)\. Give the servers public addresses instead, or use another cloud\.$/,
      /no database service \(Trove\)\. Run the database in a container of a layer, or use another cloud\.$/,
      /no block storage\. Leave out the volume, and use a flavor with a disk\.$/,
    ],
  },
  'a region, zone, image, flavor, version or external network that the cloud does not have': {
    answers: async () => [
      await problemsOfChoices(sampleModel({ region: 'Mars' })),
      await problemsOfChoices(fixedServers(1, { zone: 'az9' })),
      await problemsOfChoices(fixedServers(1, { machineImage: 'beos' })),
      await problemsOfChoices(
        sampleModel({ vendorOptions: { externalNetwork: null, flavors: { 't2.micro': 'm9' } } }),
      ),
      await problemsOfChoices(database({ engineVersion: '9.1' })),
      await problemsOfChoices(sampleModel({ vendorOptions: { externalNetwork: 'out', flavors: {} } })),
    ],
    says: [
      /this cloud has RegionOne\.$/,
      /Use one of nova\.$/,
      /Use one of cirros, debian-12, ubuntu-22\.04\.$/,
      /Use one of m1\.large, m1\.medium, m1\.small, m1\.tiny\.$/,
      /Use one of 8\.0, 5\.7\.$/,
      /Use one of public\.$/,
    ],
  },
  'more networks, routers, servers, CPUs, … than the project may have': {
    answers: async () => [
      await problemsOfChoices(sampleModel(), { quotas: { networks: { limit: 1, used: 1 } } }),
    ],
    says: [/limit of networks: it may have 1.* Ask for more, or delete a stack\.$/],
  },
};

const page = readFileSync(new URL('../../../../docs/vendors/openstack.md', import.meta.url), 'utf8');
const section = page.split('\n## Rejected\n')[1]?.split('\n## ')[0] ?? '';
const documented = [...section.matchAll(/^\| (.+?) \| .* \| .* \|$/gm)].map((match) => match[1]).slice(1);

it('the page about OpenStack has a row for every kind of template that this test has, and no other', () => {
  expect(documented).toEqual(Object.keys(rows));
});

it.each(Object.entries(rows))('%s: rejected, and the message says what to do instead', async (_, row) => {
  const messages = (await row.answers()).map((problems) => problems.map(({ message }) => message));
  expect(messages).toEqual(row.says.map((text) => [expect.stringMatching(text)]));
});
