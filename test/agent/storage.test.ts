import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { appContainerSpec } from '../../src/agent/deploy/app-container.ts';
import type { parseDeployment } from '../../src/agent/deployment.ts';
import { parseSettings } from '../../src/agent/settings.ts';
import type { Engine } from '../../src/docker-engine/types.ts';

const directory = mkdtempSync(join(tmpdir(), 'almanac-storage-'));
afterAll(() => rmSync(directory, { recursive: true }));

/** The mounts of a container with local storage, and the volumes that were created for it. */
async function mountsWith(environment: Record<string, string>) {
  const volumes: string[] = [];
  const engine = {
    volumes: { create: async ({ name }: { name: string }) => void volumes.push(name) },
  } as unknown as Engine;
  const settings = parseSettings(
    JSON.stringify({ server: 'https://almanac.example', stackId: 'mo-1', flag: 'web', token: 't' }),
    environment,
  );
  const instance = { stackId: 'mo-1', flag: 'web', instanceId: 'i-1' };
  const deployment = {
    ...sampleDeployment,
    storage: { kind: 'local', id: null, mountPath: '/data' } as const,
  };
  const image = { labels: {}, exposedPorts: [] } as unknown as Parameters<typeof appContainerSpec>[2];
  const { mounts } = await appContainerSpec({ engine, instance, settings }, deployment, image);
  return { mounts, volumes };
}

const sampleDeployment = {
  image: 'web:1',
  revision: 1,
  ports: [],
  environment: {},
} as unknown as NonNullable<ReturnType<typeof parseDeployment>>;

it('local storage is a volume of the engine on the disk of the instance', async () => {
  expect(await mountsWith({})).toEqual({
    mounts: [{ kind: 'volume', volume: 'i-1-storage', target: '/data' }],
    volumes: ['i-1-storage'],
  });
});

it('local storage is the directory in ALM_AGENT_STORAGE_DIR, which outlives the instance', async () => {
  expect(await mountsWith({ ALM_AGENT_STORAGE_DIR: directory })).toEqual({
    mounts: [{ kind: 'bind', source: directory, target: '/data' }],
    volumes: [],
  });
});

it('no container starts while the directory is missing: its files would be on the disk of the instance', async () => {
  const ALM_AGENT_STORAGE_DIR = join(directory, 'not-mounted');
  await expect(mountsWith({ ALM_AGENT_STORAGE_DIR })).rejects.toThrow(/not found\. Mount the volume/);
});
