import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { Failure } from '../../../src/basics/failure.ts';
import { runJob } from '../../../src/operations/documents/documents.ts';
import { replyToError, resultOf } from '../../../src/operations/documents/messages.ts';
import { packings } from '../../../src/operations/documents/packing.ts';
import { oneServer, written } from '../../world.ts';

const container = { container_image: 'a/b', container_registry_username: 'u' };
const withSecrets = (password: string) => {
  const [layer] = oneServer().configurations;
  return written({
    ...oneServer(),
    nickname: 'mine',
    vendor: { sandbox: { cred: 'NEW', region: 'ap-northeast-1', secret: 'vendor-secret' } },
    configurations: [{ ...layer, container: { ...container, container_registry_password: password } }],
  });
};

describe('a result that comes from another thread', () => {
  it('is the same as one from this thread, secrets included', async () => {
    const result = runJob('newTemplate', withSecrets('pass-word'));
    const unpacked = await packings.newTemplate.unpack(structuredClone(packings.newTemplate.pack(result)));
    const { locate } = unpacked.compiled;
    expect(unpacked).toEqual({ ...result, compiled: { ...result.compiled, locate } });
    expect(locate('layers/0/flag')).toBe('configurations/0/flag');
    expect(unpacked.placement.secret?.reveal()).toBe('vendor-secret');
    expect([...unpacked.compiled.secrets].map(([name, secret]) => [name, secret.reveal()])).toEqual([
      ['web0/registry_password', 'pass-word'],
    ]);
    expect(inspect(unpacked, { depth: 10 })).not.toMatch(/pass-word|vendor-secret/);
  });

  it('keeps the names of unchanged secrets', async () => {
    const job = { body: withSecrets('${sealed}'), region: 'ap-northeast-1' };
    const result = runJob('changedTemplate', job);
    const packed = structuredClone(packings.changedTemplate.pack(result));
    const unpacked = await packings.changedTemplate.unpack(packed);
    expect(unpacked).toEqual({ ...result, locate: unpacked.locate });
    expect(result.keptSecrets).toEqual(['web0/registry_password']);
  });

  it('has the members of a v2 configuration that was sent as text, and the same refusals', async () => {
    const members = { nickname: 'mine', vars: { A: 'b' }, database: [{ size: 20 }] };
    const result = runJob('configurationMembers', JSON.stringify(members));
    const packed = structuredClone(packings.configurationMembers.pack(result));
    expect(await packings.configurationMembers.unpack(packed)).toEqual(members);
    expect(() => runJob('configurationMembers', '[0]')).toThrow(
      'configurations: must be an object, or its JSON text.',
    );
  });

  it('keeps every kind of difference', async () => {
    const result = runJob('differ', {
      before: { label: 'a', gone: { x: [1] }, version: '1' },
      after: { label: 'b', description: 'new', version: '1' },
    });
    expect(await packings.differ.unpack(structuredClone(packings.differ.pack(result)))).toEqual(result);
    expect([...result.edited.keys()]).toEqual(['label']);
  });
});

describe('an error of another thread', () => {
  const thrownBy = (error: unknown): unknown => {
    try {
      return resultOf(structuredClone(replyToError(error)));
    } catch (thrown) {
      return thrown;
    }
  };

  it('is the same failure, with all its problems', () => {
    const problems = [{ path: 'a/b', message: 'is wrong.' }];
    const failure = new Failure('invalid_template', 'a/b: is wrong.', { description: 'Fix it.', problems });
    expect(thrownBy(failure)).toBeInstanceOf(Failure);
    expect(thrownBy(failure)).toMatchObject({
      kind: 'invalid_template',
      message: 'a/b: is wrong.',
      description: 'Fix it.',
      problems,
    });
  });

  it('says where an internal error happened, but not its message, which may quote the document', () => {
    const thrown = thrownBy(new TypeError('cannot read "pass-word"')) as Error;
    expect(thrown).not.toBeInstanceOf(Failure);
    expect(thrown.message).toBe('A worker thread failed with TypeError');
    expect(thrown.stack).toContain('packing.test.ts');
    expect(inspect(thrown)).not.toContain('pass-word');
  });
});
