import { describe, expect, test } from 'vitest';
import { mergeChanges } from '../../../src/languages/v2-configuration/document.ts';
import { readDeploy } from '../../../src/languages/v2-configuration/read-deploy.ts';
import { readServerChanges } from '../../../src/languages/v2-configuration/read-server-changes.ts';
import { problemsIn, single, storedFrom, valueOf } from './documents.ts';

const pairs = [
  { name: 'A', value: '1' },
  { name: 'B', value: 'x=y' },
];

describe('envvars', () => {
  const variables = (envvars: unknown) => valueOf(readServerChanges({ envvars })).server.environmentVariables;

  test.each<[string, unknown]>([
    ['an object', { A: 1, B: 'x=y' }],
    ['a list of {name, value}', pairs],
    ['a list of {key, value}', pairs.map(({ name, value }) => ({ key: name, value }))],
    ['a list of {NAME: value}', [{ A: '1' }, { B: 'x=y' }]],
    ['a list of NAME=value', ['A=1', 'B=x=y']],
    ['a list of several shapes', [{ A: 1 }, 'B=x=y']],
    ['the JSON text of a list', JSON.stringify(pairs)],
  ])('may be %s', (_what, envvars) => {
    expect(variables(envvars)).toEqual(pairs);
  });

  test.each([[{}], [[]], [null], ['{}'], ['[]']])('is cleared by %j', (envvars) => {
    expect(variables(envvars)).toEqual([]);
  });

  test('turns booleans and empty values into strings', () => {
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
      [
        '/1A: is not a valid environment variable name; use letters, digits, _, . and -, starting with a letter or _.',
        '/A: must be a string.',
        '/B: must be a string.',
      ],
    ],
    [
      ['__proto__=1'],
      [
        '/0: is not a valid environment variable name; use letters, digits, _, . and -, starting with a letter or _.',
      ],
    ],
    [['A=1', { A: 2 }], ['/1: duplicate variable "A"; keep one.']],
    [
      { A: '${sealed}' },
      ['/A: cannot contain a secret; a secret can only be the value of a member for secrets.'],
    ],
  ])('is rejected when invalid: %j', (envvars, problems) => {
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
  ])('changes what it contains: %j', (body, configuration, server) => {
    const changes = valueOf(readServerChanges({ stack_id: 'mo-1', ...body }));
    expect(changes).toEqual({ configuration, server });
  });

  test('stays in the document until cleared', () => {
    const before = storedFrom({ ...single, code: 'x' }, { keypair_id: 'kp', envvars: { A: 1 }, ports: [80] });
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
        ': changes nothing. Send filepath, mackerelApiKey, envvars, keypair_id, codeDir or ports; null clears a setting.',
      ],
    ],
    [
      undefined,
      [
        ': changes nothing. Send filepath, mackerelApiKey, envvars, keypair_id, codeDir or ports; null clears a setting.',
      ],
    ],
    [{ branch: 'x' }, ['filepath: is required with privateKey and branch.']],
    [{ filepath: null, branch: 'x' }, ['filepath: is required with privateKey and branch.']],
    [{ privateKey: 'x', keypair_id: 'y' }, ['filepath: is required with privateKey and branch.']],
    [
      { mackerelApiKey: 'x', monitoringApiKey: 'y' },
      ['monitoringApiKey: is an alias of mackerelApiKey; keep one.'],
    ],
    [
      { filpath: 'x', ports: [70000] },
      ['filpath: unknown member; did you mean "filepath"?', 'ports/0: must be an integer from 0 to 65535.'],
    ],
  ])('is rejected when invalid: %j', (body, problems) => {
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
  ])('changes the location of the code: %j', (body, configuration) => {
    expect(valueOf(readDeploy(body))).toEqual({ changes: { configuration, server: {} }, onlyRepulls: false });
  });

  test.each(['git', 'github'])('by %s without other members only fetches the code again', (method) => {
    const withCode = storedFrom({ ...single, code: 'x' });
    const repull = { changes: { configuration: {}, server: {} }, onlyRepulls: true };
    expect(valueOf(readDeploy({ method, filepath: '' }, withCode))).toEqual(repull);
    expect(valueOf(readDeploy({ method }))).toEqual(repull);
    expect(problemsIn(readDeploy({ method }, storedFrom(single)))).toEqual([
      'filepath: is required, because the stack has no code to fetch again.',
    ]);
  });

  test('rejects a branch when the code is in an object store', () => {
    const before = storedFrom({ ...single, code: 'x', codeSource: 'object_store' });
    expect(before.configuration.gitReference).toBeUndefined();
    expect(problemsIn(readDeploy({ method: 'git', branch: 'b' }, before))).toEqual([
      'branch: is not supported, because the code is in an object store; send the filepath of a repository.',
    ]);
  });

  test.each<[unknown, readonly string[]]>([
    [
      {},
      [
        'method: is required. Source of the code. Write one of s3, object_store, git_public, github_public, git_private, github_private, git, github.',
      ],
    ],
    [
      { method: 'ftp', filepth: 'x' },
      [
        'filepth: unknown member; did you mean "filepath"?',
        'method: must be one of s3, object_store, git_public, github_public, git_private, github_private, git, github.',
      ],
    ],
    [
      { method: 's3', branch: 'x' },
      [
        'filepath: is required: where the code is.',
        'branch: is not supported by this method; an object store has no branches.',
      ],
    ],
    [
      { method: 'git_private' },
      ['filepath: is required: where the code is.', 'privateKey: is required for a private repository.'],
    ],
    [
      { method: 'git_public', filepath: 'x', privateKey: 'hidden' },
      ['privateKey: is not supported by this method; use git_private.'],
    ],
  ])('is rejected when invalid: %j', (body, problems) => {
    expect(problemsIn(readDeploy(body))).toEqual(problems);
  });
});
