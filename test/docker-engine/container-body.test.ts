import { expect, it } from 'vitest';
import { containerBody } from '../../src/docker-engine/container-body.ts';

it('a container has limits on its log size and its number of processes', () => {
  const { HostConfig } = containerBody({ name: 'some', image: 'some' });
  expect(HostConfig.LogConfig).toEqual({ Type: 'json-file', Config: { 'max-size': '10m', 'max-file': '3' } });
  expect(HostConfig.PidsLimit).toBe(1024);
  expect(containerBody({ name: 'some', image: 'some', pidsLimit: 512 }).HostConfig.PidsLimit).toBe(512);
});
