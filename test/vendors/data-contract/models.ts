import type { Container, Layer, StackModel } from '../../../src/model/stack-model.ts';
import { sampleDatabase, sampleLayer, sampleModel } from '../sample-model.ts';
import type { Change, Part } from './world.ts';

export const containerWith = (storage: Container['storage']): Container => ({
  image: 'nginx',
  registryUsername: null,
  registryPasswordSecret: null,
  codeDirectory: null,
  codeSource: 'git',
  gitRepository: null,
  gitReference: 'main',
  gitPrivateKeySecret: null,
  ports: [],
  environment: {},
  users: [],
  addons: [],
  storage,
});

/** The layer of the servers with `files` and `disk`. */
export const dataLayerFlag = 'Data0';

const dataLayer = (hasFiles: boolean): Layer =>
  sampleLayer({
    flag: dataLayerFlag,
    volume: { type: null, sizeGib: 30 },
    subnet: { cidr: '10.0.1.0/24', public: true, assignPublicIp: true },
    container: hasFiles ? containerWith({ kind: 'local', id: null, mountPath: '/data' }) : null,
  });

const mediaLayer = sampleLayer({
  flag: 'Media0',
  subnet: { cidr: '10.0.2.0/24', public: true, assignPublicIp: true },
  container: containerWith({ kind: 'efs', id: null, mountPath: '/media' }),
});

/** A stack with these stores, and servers of a layer `Web0` that no test looks at. */
export const modelWith = (parts: readonly Part[], servers = 1): StackModel => {
  const has = (part: Part) => parts.includes(part);
  return sampleModel({
    layers: [
      sampleLayer({ capacity: { kind: 'fixed', count: servers } }),
      ...(has('disk') || has('files') ? [dataLayer(has('files'))] : []),
      ...(has('shared') ? [mediaLayer] : []),
    ],
    databases: has('database') ? [sampleDatabase()] : [],
    caches: has('cache') ? [{ name: 'sessions', engine: 'redis', nodeType: 'cache.t3.micro', nodes: 1 }] : [],
  });
};

/** Without the part, and with more servers: an update to it creates before it removes. */
export const modelWithout = (part: Part, all: readonly Part[] = [part]): StackModel =>
  modelWith(
    all.filter((other) => other !== part),
    4,
  );

const withLayer =
  (flag: string, change: (layer: Layer) => Layer): Change =>
  (model) => ({
    ...model,
    layers: model.layers.map((layer) => (layer.flag === flag ? change(layer) : layer)),
  });

const withVariable = (flag: string): Change =>
  withLayer(flag, (layer) => ({
    ...layer,
    container: layer.container && { ...layer.container, environment: { COLOUR: 'blue' } },
  }));

/** Replaces the server on most vendors. */
const withoutKeyPair: Change = withLayer(dataLayerFlag, (layer) => ({ ...layer, keyPair: false }));

/** Updates that replace a store by an empty one on most vendors. */
export const replacing: Readonly<Record<Part, Change | null>> = {
  database: (model) => ({
    ...model,
    databases: model.databases.map((database) => ({ ...database, engine: 'postgresql' })),
  }),
  cache: null,
  files: null,
  shared: null,
  disk: withoutKeyPair,
};

/** Updates that change a store in place, or only what surrounds it. */
export const changing: Readonly<Record<Part, Change>> = {
  database: (model) => ({
    ...model,
    databases: model.databases.map((database) => ({ ...database, storageGib: 40 })),
  }),
  cache: (model) => ({ ...model, caches: model.caches.map((cache) => ({ ...cache, nodes: 2 })) }),
  files: withVariable(dataLayerFlag),
  shared: withVariable('Media0'),
  disk: withLayer(dataLayerFlag, (layer) => ({ ...layer, volume: { ...layer.volume, sizeGib: 60 } })),
};
