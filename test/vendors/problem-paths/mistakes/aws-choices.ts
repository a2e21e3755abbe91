import {
  all,
  aloneIn,
  architecture,
  balancer,
  type DraftModel,
  groupOf,
  inLayer,
  layerOf,
  type Mistake,
  provision,
  type,
} from './draft.ts';

const rds = 'configurations/2/provision/rds';
const same = (): void => undefined;
const zone = (letter: string): string => `ap-northeast-1${letter}`;
const existing = { engine: 'mysql', version: '8.4.9', type: 'db.t4g.micro', storageGib: 50, upgraded: false };

const disk = { type: 'gp3', madeGib: 50, sizeGib: 50, files: false };

/** Adds a private layer of the group in another zone. */
function addPrivate(model: DraftModel, flag: string, letter: string): void {
  const copy = structuredClone(layerOf(model));
  const cidr = `10.0.${100 + model.layers.length}.0/24`;
  const subnet = { cidr, public: false, assignPublicIp: false };
  model.layers.push({
    ...copy,
    flag,
    zone: zone(letter),
    subnet,
    capacity: { kind: 'fixed', count: 0 },
    loadBalancer: null,
  });
  groupOf(model).subnetsOf.push(flag);
}

export const awsChoices: Mistake[] = [
  {
    ...inLayer('a layer without an image', (layer) => void (layer.machineImage = null), {
      v3: 'image',
      v2: type,
    }),
    options: { choices: { images: {} } },
  },
  {
    what: 'a database that shrinks',
    make: same,
    v3: `${rds}/storage`,
    v2: 'configurations/database/0/DBStorage',
    options: { choices: { databases: { Data: existing, web: existing } } },
  },
  {
    ...inLayer(
      'a disk that shrinks',
      (layer) => {
        layer.capacity = { kind: 'fixed', count: 1 };
        layer.loadBalancer = null;
        layer.volume.type = disk.type;
        layer.volume.sizeGib = 30;
        layer.flag = 'disks';
      },
      { v3: 'volume_size', v2: all },
    ),
    options: { choices: { disks: { Instance0Ofdisks: disk } } },
  },
  {
    what: 'two databases with the same secret',
    make: ({ databases }) => void databases.push({ ...databases[0]!, name: `Secret${databases[0]!.name}` }),
    v3: `${provision}/rds`,
    v2: 'configurations/database',
  },
  {
    what: 'servers that the load balancer does not reach',
    make: (model) => {
      aloneIn(model);
      addPrivate(model, 'One', 'c');
      addPrivate(model, 'Other', 'd');
    },
    v3: `${balancer}/subnets`,
    v2: architecture,
    options: { choices: { zones: ['a', 'c', 'd'].map(zone) } },
  },
  {
    what: 'a load balancer in a region with one zone',
    make: (model) => {
      aloneIn(model);
      Object.assign(model, { databases: [], caches: [] });
    },
    v3: `${balancer}/subnets`,
    v2: architecture,
    options: { choices: { zones: [zone('a')] } },
  },
  {
    what: 'databases in a region with one zone',
    make: aloneIn,
    v3: 'vendor/aws/region',
    v2: 'region',
    options: { choices: { zones: [zone('a')] } },
  },
  {
    what: 'a subnet in the place of the databases',
    make: same,
    v3: `${provision}/subnet/cidr`,
    v2: all,
    options: { choices: { cidrs: { DataSubnet1: '10.0.0.0/24' } } },
  },
];
