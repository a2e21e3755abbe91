import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readObject, readParameter } from '../../src/agent/cloud/aws.ts';
import { openMetadata } from '../../src/agent/cloud/metadata.ts';
import { readStackToken } from '../../src/agent/cloud/stack-token.ts';
import { fetchObject } from '../../src/agent/code/object-code.ts';
import { parseSettings } from '../../src/agent/settings.ts';
import { realClock as clock } from '../../src/basics/clock.ts';
import { PretendAws } from './world/pretend-aws.ts';

const aws = new PretendAws();
let url: string;
let place: string;
beforeAll(async () => {
  url = await aws.start();
  place = mkdtempSync(join(tmpdir(), 'almanac-aws-'));
});
afterAll(async () => {
  await aws.close();
  rmSync(place, { recursive: true });
});
beforeEach(() => {
  aws.parameters.clear();
  aws.objects.clear();
  aws.metadata.delete('spot/instance-action');
});
const access = () => ({ clock, metadata: openMetadata(clock, url), region: undefined, endpoint: url });

describe('the metadata service', () => {
  it('tells who the instance is, and of a spot notice as soon as there is one', async () => {
    const metadata = openMetadata(clock, url);
    expect(await metadata.instanceId()).toBe('i-0123456789abcdef0');
    expect(await metadata.spotNotice()).toBeUndefined();
    aws.metadata.set('spot/instance-action', '{"action":"terminate"}');
    expect(await metadata.spotNotice()).toBe('{"action":"terminate"}');
  });

  it('is asked for another session when the last one has ended', async () => {
    const metadata = openMetadata(clock, url);
    await metadata.region();
    aws.session += 1;
    expect(await metadata.region()).toBe('eu-central-1');
  });

  it('may be a file, which is a notice when it is there', async () => {
    const path = join(place, 'notice');
    const metadata = openMetadata(clock, `file:${path}`);
    expect(await metadata.spotNotice()).toBeUndefined();
    writeFileSync(path, '');
    expect(await metadata.spotNotice()).toBe('');
    await expect(metadata.keys()).rejects.toThrow('no role');
  });
});

describe('what the agent signs in with', () => {
  const settings = (changes: object) =>
    parseSettings(JSON.stringify({ server: 'https://almanac.test', stackId: 's', flag: '', ...changes }));

  it('comes from the Systems Manager with the rights of the instance', async () => {
    aws.parameters.set('/almanac/s/agent-token', 'the-token');
    const from = settings({ tokenFrom: 'ssm:/almanac/s/agent-token' });
    expect(await readStackToken(from, access())).toBe('the-token');
    await expect(readParameter(access(), '/other')).rejects.toThrow(
      'Parameter /other cannot be read: ParameterNotFound.',
    );
  });

  it('comes from a file, read anew each time', async () => {
    const path = join(place, 'token');
    const from = settings({ tokenFrom: `file:${path}` });
    for (const token of ['first', 'second']) {
      writeFileSync(path, `${token}\n`);
      expect(await readStackToken(from, access())).toBe(token);
    }
    writeFileSync(path, '\n');
    await expect(readStackToken(from, access())).rejects.toThrow('There is no token in file:');
  });

  it('is needed once', () => {
    expect(() => settings({})).toThrow('one of token and tokenFrom is needed');
    expect(() => settings({ token: 'x', tokenFrom: 'file:/x' })).toThrow('one of token');
  });
});

describe('code in an object store', () => {
  const tools = () => ({ clock, stateDirectory: place });

  it.each(['s3://code.bucket/site v1.tar.gz', 'code.bucket/site v1.tar.gz'])(
    '%s is unpacked',
    async (path) => {
      writeFileSync(join(place, 'page'), 'from the store');
      aws.objects.set('/code.bucket/site v1.tar.gz', execFileSync('tar', ['-cz', '-C', place, 'page']));
      const directory = mkdtempSync(join(place, 'code-'));
      await fetchObject(tools(), access(), path, directory);
      expect(readFileSync(join(directory, 'page'), 'utf8')).toBe('from the store');
    },
  );

  it('says what is wrong with it', async () => {
    aws.objects.set('/bucket/text', Buffer.from('no archive'));
    const fetched = (path: string) => fetchObject(tools(), access(), path, join(place, 'nothing'));
    await expect(fetched('bucket/folder/')).rejects.toThrow('is no single object');
    await expect(fetched('bucket/text')).rejects.toThrow('It must be a tar, tar.gz or zip archive.');
    await expect(readObject(access(), 'bucket', 'absent')).rejects.toThrow(
      's3://bucket/absent cannot be read: NoSuchKey.',
    );
  });
});
