import { describe, expect, it } from 'vitest';
import { wordsOfNotice } from '../../src/agent/cloud/spot.ts';
import { findMounted } from '../../src/agent/deploy/app-container.ts';
import { createAgentLog } from '../../src/agent/log.ts';
import type { ServedConfig } from '../../src/agent/service/almanac-service.ts';
import { parseSettings } from '../../src/agent/settings.ts';
import { repositoryAddress, wantedFrom } from '../../src/agent/wanted.ts';
import { VirtualClock } from '../../src/basics/clock.ts';

describe('the log', () => {
  const lines: string[] = [];
  const log = createAgentLog(new VirtualClock(), (line) => lines.push(line));

  it('writes one line for each event, without secrets', () => {
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
      '2030-01-01T00:00:00Z first line second: [hidden] and [hidden], abc, Bearer [hidden], https://[hidden]@example.com/x\n',
    ]);
  });

  it('hides keys it was never told of', () => {
    expect(log.clean('a -----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY----- b')).toBe(
      'a [hidden key] b',
    );
  });
});

describe('settings', () => {
  const given = {
    server: 'unix:/run/almanac/server.sock',
    stackId: 'mo-1',
    flag: 'web',
    token: 'very-secret',
  };

  it('have defaults for everything that may be left out', () => {
    expect(parseSettings(JSON.stringify(given))).toMatchObject({
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
    [JSON.stringify({ ...given, server: 'ftp://x' }), 'server must match pattern'],
    [JSON.stringify({ ...given, pollSecond: 5 }), 'there is no setting pollSecond'],
    [JSON.stringify({ ...given, pollSeconds: 0 }), 'pollSeconds must be'],
    [JSON.stringify({ ...given, stackId: undefined }), 'stackId'],
  ])('%s are refused without repeating a secret', (content, reason) => {
    expect(() => parseSettings(content)).toThrow(reason);
    expect(() => parseSettings(content)).not.toThrow('very-secret');
  });
});

describe('what is wanted', () => {
  const place = { stackId: 'mo-abc-x-tk', flag: 'web', instanceId: 'i-1' };
  const config = (changes: Partial<ServedConfig>): ServedConfig => ({
    updated: 7,
    container_updated: 7,
    container_image: 'http://images.example/web:1',
    ...changes,
  });

  it('is read in the words of all generations', () => {
    const old = { image: 'web:1', codeDir: '/srv', ports: [80], updated: 7, container_updated: 7 };
    expect(wantedFrom({ ...old, gitRepo: 'https://example.com/a' }, place)).toMatchObject({
      image: 'web:1',
      codeDirectory: '/srv',
      ports: [80],
      code: { kind: 'git', repository: 'https://example.com/a', reference: null, privateKey: null },
    });
    expect(wantedFrom(config({}), place).image).toBe('images.example/web:1');
  });

  it("lets the template's variables win over the place's", () => {
    const { environment } = wantedFrom(config({ container_env_vars: { MO_STACK_ID: 'mine' } }), place);
    expect(environment).toMatchObject({ MO_STACK_ID: 'mine', MO_USER_ID: 'abc', ALM_FLAG: 'web' });
  });

  it('takes code from an object store where it is there', () => {
    const code = { container_git_repo: 'bucket/site.tgz', container_code_source: 'object_store' };
    expect(wantedFrom(config(code), place).code).toEqual({ kind: 'object', path: 'bucket/site.tgz' });
  });

  it.each([
    ['git://github.com/ann/site', true, 'ssh://git@github.com/ann/site'],
    ['git://github.com/ann/site.git', false, 'https://github.com/ann/site.git'],
    ['https://github.com/ann/site', true, 'ssh://git@github.com/ann/site'],
    ['https://git.example/ann/site', true, 'https://git.example/ann/site'],
    ['git://git.example/site', true, 'ssh://git@git.example/site'],
    ['git@github.com:ann/site.git', true, 'git@github.com:ann/site.git'],
  ])('reaches %s, with a key: %s, at %s', (repository, withKey, address) => {
    expect(repositoryAddress(repository, withKey)).toBe(address);
  });
});

it('understands a spot notice whatever is in it', () => {
  expect(wordsOfNotice('{"action":"stop","time":"2030-01-01T00:00:00Z"}')).toBe(
    'The cloud takes the instance back: stop at 2030-01-01T00:00:00Z.',
  );
  expect(wordsOfNotice('')).toBe('The cloud takes the instance back.');
});

it('finds where the host has a file system', () => {
  const mounts = 'proc /proc proc rw 0 0\nfs-1.efs.eu-central-1.amazonaws.com:/ /data nfs4 rw 0 0\n';
  expect(findMounted(mounts, 'fs-1', '/mnt/storage')).toBe('/data');
  expect(findMounted(mounts, null, '/data')).toBe('/data');
  expect(findMounted(mounts, 'fs-2', '/mnt/storage')).toBeUndefined();
  expect(findMounted(mounts, null, '/proc')).toBeUndefined();
});
