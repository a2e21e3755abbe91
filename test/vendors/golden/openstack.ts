import { reject } from '../../../src/basics/problem.ts';
import type { Database, Layer, StackModel } from '../../../src/model/stack-model.ts';
import { nothingChosen } from '../../../src/vendors/openstack/choices.ts';
import { decide } from '../../../src/vendors/openstack/choose/decide.ts';
import type { Offer } from '../../../src/vendors/openstack/choose/offer.ts';
import { compile } from '../../../src/vendors/openstack/compile.ts';
import { type DialectName, dialects } from '../../../src/vendors/openstack/dialect.ts';
import { fullOffer, image } from '../openstack/offer.ts';

/** What a cloud offers that has the images, zones and certificates a model names. */
export function goldenOffer({ layers, region }: StackModel): Offer {
  const listeners = layers.flatMap(({ loadBalancer }) => loadBalancer?.listeners ?? []);
  const domains = listeners.flatMap(({ certificateDomain }) => certificateDomain ?? []);
  const zones = layers.flatMap(({ zone, capacity }) => [
    ...(zone === null ? [] : [zone]),
    ...(capacity.kind === 'group' ? capacity.zones : []),
  ]);
  const all = fullOffer();
  return {
    ...all,
    images: [
      ...all.images,
      ...layers.flatMap(({ machineImage }) => (machineImage ? [image(machineImage)] : [])),
    ],
    zones: { servers: [...zones, `${region}-1`], volumes: zones },
    certificates: [...new Set(domains)].map((name) => ({ name, reference: `https://keys.example/${name}` })),
  };
}

/** Listeners that decrypt where the dialect cannot, and what they are instead. */
const plainProtocols: Readonly<Record<DialectName, Readonly<Record<string, 'http' | 'tcp'>>>> = {
  openstack: { ssl: 'tcp' },
  k5: { ssl: 'tcp', https: 'http' },
};

const plainBalancer = (dialect: DialectName, { loadBalancer }: Layer): Layer['loadBalancer'] =>
  loadBalancer && {
    ...loadBalancer,
    listeners: loadBalancer.listeners.map((listener) => ({
      ...listener,
      protocol: plainProtocols[dialect][listener.protocol] ?? listener.protocol,
    })),
  };

/** The first layer of all shows that code in an object store is rejected. */
const plainContainer = ({ flag, container }: Layer): Layer['container'] =>
  container && {
    ...container,
    codeSource: flag === 'web-0' ? container.codeSource : 'git',
    storage: container.storage?.kind === 'efs' ? { ...container.storage, kind: 'local' } : container.storage,
  };

/** What no cloud of the dialect has is left out of the model, as its error says. Other values stay as they are. */
const adapted = (dialect: DialectName, layer: Layer): Layer => ({
  ...layer,
  capacity:
    layer.capacity.kind === 'group'
      ? { ...layer.capacity, zones: layer.capacity.zones.slice(0, 1) }
      : layer.capacity,
  networkAcl: layer.networkAcl.filter(({ action }) => action !== 'deny'),
  loadBalancer: plainBalancer(dialect, layer),
  container: plainContainer(layer),
});

/** Not the database without copies: it shows that they are rejected. */
const withoutCopies = (dialect: DialectName, database: Database): Database => ({
  ...database,
  replicas: database.name === 'reports' ? database.replicas : 0,
  multiZone: database.name === 'main' && dialect === 'openstack' ? false : database.multiZone,
  storageGib: dialect === 'k5' ? Math.max(10, database.storageGib) : database.storageGib,
});

export const compileForOpenStack = (dialect: DialectName) => (golden: StackModel, stackId: string) => {
  const model = {
    ...golden,
    layers: golden.layers.map((layer) => adapted(dialect, layer)),
    databases: golden.databases.map((database) => withoutCopies(dialect, database)),
  };
  const choices = decide({
    model,
    offer: goldenOffer(model),
    kept: nothingChosen,
    dialect: dialects[dialect],
  });
  if (!choices.ok) return reject(choices.problems);
  return compile({
    model,
    stackId,
    choices: choices.value,
    dialect,
    baseUrl: 'https://almanac.example.com',
  });
};
