import { expect, it } from 'vitest';
import { appContainerSpec } from '../../../src/agent/deploy/app-container.ts';
import type { Deployment } from '../../../src/agent/deployment.ts';
import type { Settings } from '../../../src/agent/settings.ts';
import type { Engine, Image } from '../../../src/docker-engine/types.ts';

const instance = { stackId: 'mo-1', flag: 'web01', instanceId: 'i-0001' };
const deployment = {
  revision: 1,
  image: 'web:1',
  ports: [],
  environment: {},
  storage: { kind: 'local', id: null, mountPath: '/mnt/storage' },
} as unknown as Deployment;

/** The mounts of the application, and the volumes that the agent makes, on an instance that is a container with these labels. */
async function deployedOn(labels: Record<string, string>) {
  const made: { name: string; labels?: object }[] = [];
  const engine = {
    containers: { inspect: async () => ({ labels, mounts: [] }) },
    volumes: { create: async (volume: { name: string }) => made.push(volume) },
  } as unknown as Engine;
  const settings = { network: null, hostUsr: false } as unknown as Settings;
  const { mounts } = await appContainerSpec({ engine, instance, settings }, deployment, {} as Image);
  return { mounts, made };
}

it('local files are in the volume that the vendor of the instance names, which outlives the instance', async () => {
  const volume = 'alm-mo-1-storage-web01-0';
  expect(await deployedOn({ 'almanac.volume': volume })).toEqual({
    mounts: [{ kind: 'volume', volume, target: '/mnt/storage' }],
    made: [{ name: volume, labels: { 'almanac.stack': 'mo-1' } }],
  });
});

it('local files are in a volume of the instance if its vendor names none', async () => {
  const volume = 'i-0001-storage';
  expect(await deployedOn({})).toMatchObject({
    mounts: [{ kind: 'volume', volume, target: '/mnt/storage' }],
    made: [{ name: volume, labels: { 'almanac.instance': 'i-0001' } }],
  });
});
