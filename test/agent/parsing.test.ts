import { describe, expect, it } from 'vitest';
import { describeSpotNotice } from '../../src/agent/cloud/spot.ts';
import { findMounted } from '../../src/agent/deploy/app-container.ts';
import { parseDeployment, repositoryUrl, secretsOf } from '../../src/agent/deployment.ts';
import { createAgentLog } from '../../src/agent/log.ts';
import type { ServedConfig } from '../../src/agent/service/almanac-service.ts';
import { parseSettings } from '../../src/agent/settings.ts';
import { VirtualClock } from '../../src/basics/clock.ts';

describe('the log', () => {
  const lines: string[] = [];
  const log = createAgentLog(new VirtualClock(), (line) => lines.push(line));

  it('writes one line per event, without secrets', () => {
    log.hide([
      'hunter22',
      '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXk\n-----END OPENSSH PRIVATE KEY-----',
      undefined,
      '',
      'abc',
    ]);
    log(
      'first line\nsecond: hunter22 and b3BlbnNzaC1rZXk, abc, Bearer xyz.123, https://ann:pw@example.com/x',
    );
    expect(lines).toEqual([
      '2030-01-01T00:00:00Z first line second: [redacted] and [redacted], abc, Bearer [redacted], https://[redacted]@example.com/x\n',
    ]);
  });

  it('redacts private keys that were not registered as secrets', () => {
    expect(log.clean('a -----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY----- b')).toBe(
      'a [redacted] b',
    );
  });
});

describe('settings', () => {
  const required = {
    server: 'unix:/run/almanac/server.sock',
    stackId: 'mo-1',
    flag: 'web',
    token: 'very-secret',
  };

  it('have defaults for optional members', () => {
    expect(parseSettings(JSON.stringify(required))).toMatchObject({
      engine: '/var/run/docker.sock',
      network: null,
      metadata: null,
      stateDirectory: '/var/lib/almanac',
      readyFile: '/run/almanac/ready',
      pollSeconds: 10,
      healthSeconds: 120,
      drainSeconds: 30,
      manageUsers: false,
    });
  });

  it.each([
    ['{', 'not JSON'],
    [JSON.stringify({ ...required, server: 'ftp://x' }), 'server must match pattern'],
    [JSON.stringify({ ...required, pollSecond: 5 }), 'unknown setting pollSecond'],
    [JSON.stringify({ ...required, pollSeconds: 0 }), 'pollSeconds must be'],
    [JSON.stringify({ ...required, stackId: undefined }), 'stackId'],
  ])('%s are rejected without repeating a secret', (content, reason) => {
    expect(() => parseSettings(content)).toThrow(reason);
    expect(() => parseSettings(content)).not.toThrow('very-secret');
  });
});

describe('the desired deployment', () => {
  const instance = { stackId: 'mo-abc-x-tk', flag: 'web', instanceId: 'i-1' };
  const config = (changes: Partial<ServedConfig>): ServedConfig => ({
    updated: 7,
    container_updated: 7,
    container_image: 'http://images.example/web:1',
    ...changes,
  });

  it('is parsed from the member names of all agent generations', () => {
    const old = { image: 'web:1', codeDir: '/srv', ports: [80], updated: 7, container_updated: 7 };
    expect(parseDeployment({ ...old, gitRepo: 'https://example.com/a' }, instance)).toMatchObject({
      image: 'web:1',
      codeDirectory: '/srv',
      ports: [80],
      code: { kind: 'git', repository: 'https://example.com/a', reference: null, privateKey: null },
    });
    expect(parseDeployment(config({}), instance).image).toBe('images.example/web:1');
  });

  it('lets variables of the template override those of the instance', () => {
    const { environment } = parseDeployment(
      config({ container_env_vars: { MO_STACK_ID: 'mine' } }),
      instance,
    );
    expect(environment).toMatchObject({ MO_STACK_ID: 'mine', MO_USER_ID: 'abc', ALM_FLAG: 'web' });
  });

  it('has code from an object store', () => {
    const code = { container_git_repo: 'bucket/site.tgz', container_code_source: 'object_store' };
    expect(parseDeployment(config(code), instance).code).toEqual({ kind: 'object', path: 'bucket/site.tgz' });
  });

  it.each([
    ['git://github.com/ann/site', true, 'ssh://git@github.com/ann/site'],
    ['git://github.com/ann/site.git', false, 'https://github.com/ann/site.git'],
    ['https://github.com/ann/site', true, 'ssh://git@github.com/ann/site'],
    ['https://git.example/ann/site', true, 'https://git.example/ann/site'],
    ['git://git.example/site', true, 'ssh://git@git.example/site'],
    ['git@github.com:ann/site.git', true, 'git@github.com:ann/site.git'],
  ])('fetches %s (with a key: %s) from %s', (repository, hasKey, url) => {
    expect(repositoryUrl(repository, hasKey)).toBe(url);
  });
});

it('describes a spot notice with any content', () => {
  expect(describeSpotNotice('{"action":"stop","time":"2030-01-01T00:00:00Z"}')).toBe(
    'Spot notice: the cloud will reclaim this instance: stop at 2030-01-01T00:00:00Z.',
  );
  expect(describeSpotNotice('')).toBe('Spot notice: the cloud will reclaim this instance.');
});

it('finds the mount point of a shared file system by path or id', () => {
  const mounts = 'proc /proc proc rw 0 0\nfs-1.efs.eu-central-1.amazonaws.com:/ /data nfs4 rw 0 0\n';
  expect(findMounted(mounts, 'fs-1', '/mnt/storage')).toBe('/data');
  expect(findMounted(mounts, null, '/data')).toBe('/data');
  expect(findMounted(mounts, 'fs-2', '/mnt/storage')).toBeUndefined();
  expect(findMounted(mounts, null, '/proc')).toBeUndefined();
});

it('a token in the URL of an image is hidden, with and without the scheme, and the name of an image is not', () => {
  const digest = `sha256:${'a'.repeat(64)}`;
  const hidden = (container_image: string) =>
    secretsOf({ container_image } as Parameters<typeof secretsOf>[0]).filter(Boolean);
  for (const image of ['hush-token@registry.example.com/app:1', 'hush-token:x@registry.example.com/app:1'])
    for (const written of [image, `https://${image}`, `${image}@${digest}`])
      expect(hidden(written)).toContain('hush-token');
  for (const image of [
    'app',
    'app:1',
    `app@${digest}`,
    `app:1@${digest}`,
    `registry:5000/shop/app@${digest}`,
  ])
    expect(hidden(image)).toEqual([]);
});
