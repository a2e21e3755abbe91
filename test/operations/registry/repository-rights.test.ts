import { describe, expect, it } from 'vitest';
import { parseScope } from '../../../src/model/role-scope.ts';
import type { Caller } from '../../../src/operations/access/permission.ts';
import {
  decideOnRepository,
  type RepositoryAction,
  requireOnRepository,
} from '../../../src/operations/registry/repository-rights.ts';

const firstAccount = '0000000000001';
const otherAccount = '0000000000002';

const role = (...statements: object[]) => {
  const read = parseScope(JSON.stringify({ Version: '2017-05-05', Statement: statements }));
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return { roleId: 'r', name: 'r', scope: read.value.scope };
};

const user = (username: string, ...roles: ReturnType<typeof role>[]): Caller => ({
  kind: 'user',
  accountId: firstAccount,
  username,
  master: false,
  roles,
});

const may = (caller: Caller, action: RepositoryAction, repository: string): boolean =>
  decideOnRepository(caller, firstAccount, { action, repository }).allowed;

const all = ['registry:pull', 'registry:push', 'registry:delete'] as const;

describe('rights on repositories', () => {
  it('gives a user everything in the own namespace, and nothing else, whatever other actions the roles allow', () => {
    const ann = user('ann', role({ Effect: 'Allow', Action: ['stack:*'], Resource: ['*'] }));
    for (const action of all) {
      expect(may(ann, action, 'ann/shop')).toBe(true);
      expect(may(ann, action, 'ben/shop')).toBe(false);
      expect(may(ann, action, 'ann')).toBe(false);
      expect(may(ann, action, 'annika/shop')).toBe(false);
    }
  });

  it('gives what roles allow on other repositories, also beside the own namespace', () => {
    const ann = user(
      'ann',
      role({ Effect: 'Allow', Action: ['registry:pull'], Resource: ['mrn:registry:ben/*'] }),
    );
    expect(may(ann, 'registry:pull', 'ben/shop')).toBe(true);
    expect(may(ann, 'registry:push', 'ben/shop')).toBe(false);
    expect(may(ann, 'registry:push', 'ann/shop')).toBe(true);
  });

  it('lets a deny statement win in the own namespace', () => {
    const ann = user('ann', role({ Effect: 'Deny', Action: ['registry:delete'], Resource: ['*'] }));
    expect(may(ann, 'registry:delete', 'ann/shop')).toBe(false);
    expect(may(ann, 'registry:push', 'ann/shop')).toBe(true);
  });

  it('limits a personal access token to what it was given', () => {
    const pull = role({ Effect: 'Allow', Action: ['registry:pull'], Resource: ['*'] });
    const ann = { ...user('ann'), tokenRoles: [pull] };
    expect(may(ann, 'registry:pull', 'ann/shop')).toBe(true);
    expect(may(ann, 'registry:push', 'ann/shop')).toBe(false);
  });

  it('gives a service client only what its roles allow, and a stack nothing', () => {
    const service: Caller = {
      kind: 'client',
      accountId: firstAccount,
      clientId: 'ci',
      clientKind: 'service',
      roles: [],
    };
    expect(may(service, 'registry:pull', 'ci/shop')).toBe(false);
    const push = role({ Effect: 'Allow', Action: ['registry:push'], Resource: ['mrn:registry:ci/shop'] });
    expect(may({ ...service, roles: [push] }, 'registry:push', 'ci/shop')).toBe(true);
    expect(may({ kind: 'stack', accountId: firstAccount }, 'registry:pull', 'ann/shop')).toBe(false);
  });

  it('never reaches into another account, not even as its master', () => {
    const master: Caller = { kind: 'user', accountId: otherAccount, username: 'root', master: true };
    expect(may(master, 'registry:pull', 'ann/shop')).toBe(false);
    expect(may(master, 'registry:delete', `${otherAccount}.ann/shop`)).toBe(true);
    const first: Caller = { kind: 'user', accountId: firstAccount, username: 'root', master: true };
    expect(may(first, 'registry:delete', `${otherAccount}.ann/shop`)).toBe(false);
  });

  it('hides repositories that may not be seen, and refuses what is not allowed on the others', () => {
    const ann = user(
      'ann',
      role({ Effect: 'Allow', Action: ['registry:pull'], Resource: ['mrn:registry:ben/shop'] }),
    );
    const push = (repository: string) => () =>
      requireOnRepository(ann, firstAccount, { action: 'registry:push', repository });
    expect(push('ben/shop')).toThrow(expect.objectContaining({ kind: 'forbidden' }));
    expect(push('ben/other')).toThrow(expect.objectContaining({ kind: 'not_found' }));
    expect(push('ann/shop')).not.toThrow();
  });
});
