import { describe, expect, test } from 'vitest';
import { mergeChanges } from '../../../src/languages/v2-configuration/document.ts';
import { readDeploy } from '../../../src/languages/v2-configuration/read-deploy.ts';
import { readServerChanges } from '../../../src/languages/v2-configuration/read-server-changes.ts';
import { keptFrom, problemsIn, single, valueOf } from './documents.ts';

const pairs = [
  { name: 'A', value: '1' },
  { name: 'B', value: 'x=y' },
];

describe('the environment', () => {
  const variables = (envvars: unknown) => valueOf(readServerChanges({ envvars })).server.environmentVariables;

  test.each<[string, unknown]>([
    ['an object', { A: 1, B: 'x=y' }],
    ['names and values', pairs],
    ['keys and values', pairs.map(({ name, value }) => ({ key: name, value }))],
    ['objects of one member', [{ A: '1' }, { B: 'x=y' }]],
    ['lines', ['A=1', 'B=x=y']],
    ['several shapes', [{ A: 1 }, 'B=x=y']],
    ['the JSON text of one', JSON.stringify(pairs)],
  ])('may be %s', (_what, envvars) => {
    expect(variables(envvars)).toEqual(pairs);
  });

  test.each([[{}], [[]], [null], ['{}'], ['[]']])('is cleared by %j', (envvars) => {
    expect(variables(envvars)).toEqual([]);
  });

  test('takes truths and empty values as text', () => {
    expect(variables({ A: true, B: '' })).toEqual([
      { name: 'A', value: 'true' },
      { name: 'B', value: '' },
    ]);
  });

  test.each<[unknown, readonly string[]]>([
    [
      7,
      [': must be an object of names and values, or a list of {"name": …, "value": …} or of "NAME=value".'],
    ],
    [
      'A:1',
      [': must be an object of names and values, or a list of {"name": …, "value": …} or of "NAME=value".'],
    ],
    [
      ['A', { name: 'A' }, { A: 1, B: 2 }, null],
      [0, 1, 2, 3].map((index) => `/${index}: must be {"name": …, "value": …}, {"NAME": …} or "NAME=value".`),
    ],
    [
      { '1A': 'x', A: {}, B: null },
      ['/1A: is not a name an environment variable can have.', '/A: must be text.', '/B: must be text.'],
    ],
    [['__proto__=1'], ['/0: is not a name an environment variable can have.']],
    [['A=1', { A: 2 }], ['/1: names "A" twice.']],
    [{ A: '${sealed}' }, ['/A: cannot use a secret; secrets can only be used as themselves.']],
  ])('is refused: %j', (envvars, problems) => {
    expect(problemsIn(readServerChanges({ envvars }))).toEqual(
      problems.map((problem) => `envvars${problem}`),
    );
  });
});

describe('an update of the server configuration', () => {
  test.each([
    [{ filepath: 'x' }, { code: 'x' }, {}],
    [
      { filepath: 'x', privateKey: 'k', branch: 'b' },
      { code: 'x', codeSource: 'git', gitPrivateKey: 'k', gitReference: 'b' },
      {},
    ],
    [{ mackerelApiKey: 'm' }, {}, { monitoring: 'm' }],
    [{ monitoringApiKey: 'm', key: 'monitoringApiKey' }, {}, { monitoring: 'm' }],
    [
      { keypair_id: 'kp', codeDir: '/srv', ports: ['80', 443] },
      {},
      { keypair_id: 'kp', codeDir: '/srv', ports: [80, 443] },
    ],
    [{ keypair_id: null, codeDir: null, ports: null }, {}, { keypair_id: null, codeDir: null, ports: null }],
    [{ filepath: 'x', envvars: '', branch: '' }, { code: 'x' }, {}],
    [{ filepath: null }, { code: null, codeSource: null, gitPrivateKey: null, gitReference: null }, {}],
    [{ privateKey: null }, { gitPrivateKey: null }, {}],
    [{ branch: null }, { gitReference: null }, {}],
  ])('%j', (body, configuration, server) => {
    const changes = valueOf(readServerChanges({ stack_id: 'mo-1', ...body }));
    expect(changes).toEqual({ configuration, server });
  });

  test('stays in the document until cleared', () => {
    const before = keptFrom({ ...single, code: 'x' }, { keypair_id: 'kp', envvars: { A: 1 }, ports: [80] });
    expect(before.server).toEqual({
      environmentVariables: [{ name: 'A', value: '1' }],
      keypair_id: 'kp',
      ports: [80],
    });
    const after = mergeChanges(
      before,
      valueOf(readServerChanges({ keypair_id: null, ports: null, envvars: [] })),
    );
    expect(after).toEqual({ ...before, server: { environmentVariables: [] } });
  });

  test.each<[unknown, readonly string[]]>([
    [
      { stack_id: 'mo-1' },
      [
        ': changes nothing. Send filepath, mackerelApiKey, envvars, keypair_id, codeDir or ports; null clears.',
      ],
    ],
    [
      undefined,
      [
        ': changes nothing. Send filepath, mackerelApiKey, envvars, keypair_id, codeDir or ports; null clears.',
      ],
    ],
    [{ branch: 'x' }, ['filepath: is missing. privateKey and branch say more about it.']],
    [{ filepath: null, branch: 'x' }, ['filepath: is missing. privateKey and branch say more about it.']],
    [
      { privateKey: 'x', keypair_id: 'y' },
      ['filepath: is missing. privateKey and branch say more about it.'],
    ],
    [
      { mackerelApiKey: 'x', monitoringApiKey: 'y' },
      ['monitoringApiKey: is the same as mackerelApiKey; keep one.'],
    ],
    [
      { filpath: 'x', ports: [70000] },
      [
        'filpath: is not a known member; did you mean "filepath"?',
        'ports/0: must be a whole number, from 0 to 65535.',
      ],
    ],
  ])('is refused: %j', (body, problems) => {
    expect(problemsIn(readServerChanges(body))).toEqual(problems);
  });
});

describe('deploying code', () => {
  const fromObjectStore = { codeSource: 'object_store', gitPrivateKey: null, gitReference: null };

  test.each([
    [
      { method: 's3', filepath: 'bucket/x.zip' },
      { code: 'bucket/x.zip', ...fromObjectStore },
    ],
    [
      { method: 'object_store', filepath: 'x' },
      { code: 'x', ...fromObjectStore },
    ],
    [
      { method: 'git_public', filepath: 'x', privateKey: '' },
      { code: 'x', codeSource: 'git', gitPrivateKey: null },
    ],
    [
      { method: 'GitHub_Public', filepath: 'x', branch: 'b' },
      { code: 'x', codeSource: 'git', gitPrivateKey: null, gitReference: 'b' },
    ],
    [
      { method: 'git_private', filepath: 'x', privateKey: 'k' },
      { code: 'x', codeSource: 'git', gitPrivateKey: 'k' },
    ],
    [
      { method: 'github_private', filepath: 'x', privateKey: '${sealed}' },
      { code: 'x', codeSource: 'git', gitPrivateKey: '${sealed}' },
    ],
    [
      { method: 'git', filepath: 'x' },
      { code: 'x', codeSource: 'git' },
    ],
    [{ method: 'github', branch: 'v2' }, { gitReference: 'v2' }],
  ])('%j', (body, configuration) => {
    expect(valueOf(readDeploy(body))).toEqual({ changes: { configuration, server: {} }, onlyRepulls: false });
  });

  test.each(['git', 'github'])('by %s alone only fetches again', (method) => {
    const withCode = keptFrom({ ...single, code: 'x' });
    const repull = { changes: { configuration: {}, server: {} }, onlyRepulls: true };
    expect(valueOf(readDeploy({ method, filepath: '' }, withCode))).toEqual(repull);
    expect(valueOf(readDeploy({ method }))).toEqual(repull);
    expect(problemsIn(readDeploy({ method }, keptFrom(single)))).toEqual([
      'filepath: is missing. The stack has no code yet that could be fetched again.',
    ]);
  });

  test('a branch of what is in an object store is refused', () => {
    const before = keptFrom({ ...single, code: 'x', codeSource: 'object_store' });
    expect(before.configuration.gitReference).toBeUndefined();
    expect(problemsIn(readDeploy({ method: 'git', branch: 'b' }, before))).toEqual([
      'branch: is of no use: the code is in an object store. Give its filepath.',
    ]);
  });

  test.each<[unknown, readonly string[]]>([
    [
      {},
      [
        'method: is missing. Where the code comes from. Write one of s3, object_store, git_public, github_public, git_private, github_private, git, github.',
      ],
    ],
    [
      { method: 'ftp', filepth: 'x' },
      [
        'filepth: is not a known member; did you mean "filepath"?',
        'method: must be one of s3, object_store, git_public, github_public, git_private, github_private, git, github.',
      ],
    ],
    [
      { method: 's3', branch: 'x' },
      [
        'filepath: is missing. Say where the code is.',
        'branch: is of no use to this method; an object store has no branches.',
      ],
    ],
    [
      { method: 'git_private' },
      [
        'filepath: is missing. Say where the code is.',
        'privateKey: is missing. A private repository needs its private key.',
      ],
    ],
    [
      { method: 'git_public', filepath: 'x', privateKey: 'hidden' },
      ['privateKey: is of no use to this method; use git_private.'],
    ],
  ])('is refused: %j', (body, problems) => {
    expect(problemsIn(readDeploy(body))).toEqual(problems);
  });
});
