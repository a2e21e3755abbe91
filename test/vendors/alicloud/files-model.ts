import type { Container, Layer, StackModel } from '../../../src/model/stack-model.ts';
import { fixedServers } from '../sample-model.ts';

const container: Container = {
  image: 'nginx',
  registryUsername: null,
  registryPasswordSecret: null,
  codeDirectory: null,
  codeSource: 'git',
  gitRepository: null,
  gitReference: 'main',
  gitPrivateKeySecret: null,
  ports: [80],
  environment: {},
  users: [],
  addons: [],
  storage: { kind: 'local', id: null, mountPath: '/data' },
};

/** Servers whose containers keep files on their disks. */
export const serversWithFiles = (count: number, changes: Partial<Layer> = {}): StackModel =>
  fixedServers(count, { container, ...changes });
