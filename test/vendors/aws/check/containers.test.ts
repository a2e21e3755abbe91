import { describe, expect, it } from 'vitest';
import type { Container } from '../../../../src/model/stack-model.ts';
import { sampleLayer, sampleModel } from '../../sample-model.ts';
import { problemsOf, sampleContainer } from '../compile/world.ts';

const problemsWith = (changes: Partial<Container>) =>
  problemsOf(sampleModel({ layers: [sampleLayer({ container: sampleContainer(changes) })] }));

describe('a container', () => {
  it.each(['s3://bucket/*', 'bucket/a?c.zip', '*/code.zip'])(
    'rejects wildcards in an object store path: %s',
    (gitRepository) => {
      expect(problemsWith({ codeSource: 'object_store', gitRepository })).toMatchObject([
        { path: 'layers/0/container/gitRepository' },
      ]);
    },
  );

  it('allows wildcard characters in a URL, which is not part of a policy', () => {
    const gitRepository = 'https://example.com/code.zip?version=1';
    expect(problemsWith({ codeSource: 'object_store', gitRepository })).toEqual([]);
    expect(problemsWith({ codeSource: 'git', gitRepository: 'git@example.com:a*.git' })).toEqual([]);
  });

  it.each([null, 'fs-12345678'])('rejects a network file system (id %s)', (id) => {
    expect(problemsWith({ storage: { kind: 'efs', id, mountPath: '/data' } })).toMatchObject([
      { path: 'layers/0/container/storage', message: expect.stringContaining('local') },
    ]);
    expect(problemsWith({ storage: { kind: 'local', id, mountPath: '/data' } })).toEqual([]);
  });

  it('rejects a layer whose name contains a reference to a secret of the account', () => {
    const flag = 'web {{resolve:ssm-secure:key}}';
    const problems = problemsOf(sampleModel({ layers: [sampleLayer({ flag })] }));
    expect(problems.length).toBeGreaterThan(0);
    expect(problems.every(({ message }) => message.includes('secret'))).toBe(true);
  });
});
