import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readObject, readParameter } from '../../src/agent/cloud/aws.ts';
import { openMetadata } from '../../src/agent/cloud/metadata.ts';
import { readStackToken } from '../../src/agent/cloud/stack-token.ts';
import { fetchObject } from '../../src/agent/code/object-code.ts';
import { parseSettings } from '../../src/agent/settings.ts';
import { realClock as clock } from '../../src/basics/clock.ts';
import { FakeAws } from './world/fake-aws.ts';

const aws = new FakeAws();
let url: string;
let directory: string;
beforeAll(async () => {
  url = await aws.start();
  directory = mkdtempSync(join(tmpdir(), 'almanac-aws-'));
});
afterAll(async () => {
  await aws.close();
  rmSync(directory, { recursive: true });
});
beforeEach(() => {
  aws.parameters.clear();
  aws.objects.clear();
  aws.metadata.delete('spot/instance-action');
});
const access = () => ({ clock, metadata: openMetadata(clock, url), region: undefined, endpoint: url });

describe('the metadata client', () => {
  it('reads the instance id, and a spot notice as soon as there is one', async () => {
    const metadata = openMetadata(clock, url);
    expect(await metadata.instanceId()).toBe('i-0123456789abcdef0');
    expect(await metadata.spotNotice()).toBeUndefined();
    aws.metadata.set('spot/instance-action', '{"action":"terminate"}');
    expect(await metadata.spotNotice()).toBe('{"action":"terminate"}');
  });

  it('opens a new session when the last one has expired', async () => {
    const metadata = openMetadata(clock, url);
    await metadata.region();
    aws.session += 1;
    expect(await metadata.region()).toBe('eu-central-1');
  });

  it('reads the spot notice from a file, and has no credentials then', async () => {
    const path = join(directory, 'notice');
    const metadata = openMetadata(clock, `file:${path}`);
    expect(await metadata.spotNotice()).toBeUndefined();
    writeFileSync(path, '');
    expect(await metadata.spotNotice()).toBe('');
    await expect(metadata.keys()).rejects.toThrow('no role');
  });
});

describe('the stack token', () => {
  const settings = (changes: object) =>
    parseSettings(JSON.stringify({ server: 'https://almanac.test', stackId: 's', flag: '', ...changes }));

  it('is read from Systems Manager with the role of the instance', async () => {
    aws.parameters.set('/almanac/s/agent-token', 'the-token');
    const from = settings({ tokenFrom: 'ssm:/almanac/s/agent-token' });
    expect(await readStackToken(from, access())).toBe('the-token');
    await expect(readParameter(access(), '/other')).rejects.toThrow(
      'Cannot read parameter /other: ParameterNotFound.',
    );
  });

  it('is read from a file, again on each call', async () => {
    const path = join(directory, 'token');
    const from = settings({ tokenFrom: `file:${path}` });
    for (const token of ['first', 'second']) {
      writeFileSync(path, `${token}\n`);
      expect(await readStackToken(from, access())).toBe(token);
    }
    writeFileSync(path, '\n');
    await expect(readStackToken(from, access())).rejects.toThrow('contains no token.');
  });

  it('must be set, either as token or as tokenFrom', () => {
    expect(() => settings({})).toThrow('exactly one of token and tokenFrom is required');
    expect(() => settings({ token: 'x', tokenFrom: 'file:/x' })).toThrow('exactly one of token');
  });
});

describe('code from an object store', () => {
  const tools = () => ({ clock, stateDirectory: directory, aws: access() });

  it.each(['s3://code.bucket/site v1.tar.gz', 'code.bucket/site v1.tar.gz'])(
    'is downloaded from %s and unpacked',
    async (path) => {
      writeFileSync(join(directory, 'page'), 'from the store');
      aws.objects.set('/code.bucket/site v1.tar.gz', execFileSync('tar', ['-cz', '-C', directory, 'page']));
      const target = mkdtempSync(join(directory, 'code-'));
      await fetchObject(tools(), path, target);
      expect(readFileSync(join(target, 'page'), 'utf8')).toBe('from the store');
    },
  );

  const limited = { unpackedLimits: { bytes: 100_000, files: 10 } };
  const zip = (name: string, content: string): Buffer => {
    const script =
      'import sys,zipfile; z=zipfile.ZipFile(sys.argv[1],"w",8); z.writestr("big", sys.stdin.read()); z.close()';
    execFileSync('python3', ['-c', script, join(directory, name)], { input: content });
    return readFileSync(join(directory, name));
  };

  it.each([
    [
      'a small tar.gz that unpacks to much',
      () => tarOf(() => writeFileSync(join(directory, 'big'), 'a'.repeat(100_001)), 'big'),
    ],
    ['a small zip that unpacks to much', () => zip('bomb.zip', 'a'.repeat(100_001))],
    ['an archive of many files', () => tarOf(makeManyFiles, 'many')],
  ])('is not unpacked, finally, if it is %s', async (_what, archive) => {
    aws.objects.set('/bucket/bomb', archive());
    const target = join(directory, 'unpacked');
    const failure = await fetchObject({ ...tools(), ...limited }, 'bucket/bomb', target).catch(
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({ definite: true });
    expect(String(failure)).toContain(
      'The code has more than 10 files, or more than 100000 bytes when unpacked.',
    );
    expect(readdirSync(target)).toEqual([]);
  });

  const tarOf = (make: () => void, name: string): Buffer => {
    make();
    return execFileSync('tar', ['-cz', '-C', directory, name]);
  };
  const makeManyFiles = (): void => {
    mkdirSync(join(directory, 'many'));
    for (let number = 0; number < 11; number += 1) writeFileSync(join(directory, 'many', `${number}`), '');
  };

  it('fails with the reason for a folder, a file that is not an archive and a missing object', async () => {
    aws.objects.set('/bucket/text', Buffer.from('text'));
    const fetched = (path: string) => fetchObject(tools(), path, join(directory, 'nothing'));
    await expect(fetched('bucket/folder/')).rejects.toThrow('is not an object');
    await expect(fetched('bucket/text')).rejects.toThrow('The code must be a tar, tar.gz or zip archive.');
    await expect(readObject(access(), 'bucket', 'absent')).rejects.toThrow(
      'Cannot read s3://bucket/absent: NoSuchKey.',
    );
  });
});
