import { describe, expect, it } from 'vitest';
import { CallFailed } from '../../../src/console/api/failure.ts';
import {
  decisionsOf,
  flagsOf,
  queryOf,
  questionOf,
  type Word,
  withChoice,
} from '../../../src/console/data/question.ts';
import type { ErrorBody } from '../../../src/contract/error-body.ts';

type Store = NonNullable<ErrorBody['stores']>[number];

const store = (id: string, parts: Partial<Store> = {}): Store => ({
  id,
  resource: `Resource${id}`,
  resource_type: 'DatabaseInstance',
  kind: 'database',
  store_id: `db-${id}`,
  action: 'remove',
  confirm: ['data=keep', 'data=delete'],
  sentence: `${id} is kept.`,
  sentences: [`${id} is kept.`, `${id} is deleted.`],
  ...parts,
});

const disk = (id: string): Store =>
  store(id, { kind: 'disk', confirm: ['servers=replace'], sentences: [`Disk ${id} is lost.`] });

const refusal = (body: Partial<ErrorBody>): CallFailed =>
  new CallFailed({
    status: 409,
    body: { code: '2001', error: 'conflict', message: 'No', description: '', request_id: 'r', ...body },
    requestId: 'r',
    retryAfter: null,
  });

describe('a refusal', () => {
  it('is a question if it names stores, whatever its sentences say', () => {
    expect(questionOf(refusal({ stores: [store('a')] }))).toEqual({ stores: [store('a')], returning: [] });
    expect(questionOf(refusal({ description: 'repeat the request with ?data=keep' }))).toBeNull();
    expect(questionOf(new Error('data=keep'))).toBeNull();
  });

  it('asks once for each store with data, and once for the disks of all servers', () => {
    const stores = [disk('x'), store('a'), disk('y')];
    expect(decisionsOf({ stores, returning: [] })).toEqual([
      {
        id: 'a',
        title: 'Resourcea',
        options: [
          { parameter: 'data=keep', sentences: ['a is kept.'] },
          { parameter: 'data=delete', sentences: ['a is deleted.'] },
        ],
      },
      {
        id: 'servers',
        title: 'Disks of servers',
        options: [{ parameter: 'servers=replace', sentences: ['Disk x is lost.', 'Disk y is lost.'] }],
      },
    ]);
  });

  it('offers to keep only what the service can keep', () => {
    const stores = [store('a', { confirm: ['data=delete'], sentences: ['a is lost.'] })];
    const [decision] = decisionsOf({ stores, returning: [] });
    expect(decision?.options).toEqual([{ parameter: 'data=delete', sentences: ['a is lost.'] }]);
  });

  it('asks once about everything that comes back, with a sentence for each store', () => {
    const common = { resource_type: 'DatabaseInstance', resource: 'App' };
    const returning = [
      { ...common, kept: '', confirm: ['restore=empty'], sentences: ['one: empty'] },
      {
        ...common,
        kept: 'data-1',
        confirm: ['restore=latest', 'restore=empty'],
        sentences: ['two: restored', 'two: empty'],
      },
    ];
    const [decision] = decisionsOf({ stores: [], returning });
    expect(decision?.options).toEqual([
      { parameter: 'restore=latest', sentences: ['one: empty', 'two: restored'] },
      { parameter: 'restore=empty', sentences: ['one: empty', 'two: empty'] },
    ]);
  });
});

describe('what the user says', () => {
  const say = (...choices: [id: string, parameter: string][]): Word =>
    choices.reduce((word, [id, parameter]) => withChoice(word, { id }, parameter), {});

  it('is sent for all stores at once if all are kept, and for each by its id if one is deleted', () => {
    expect(queryOf(say(['a', 'data=keep'], ['b', 'data=keep']))).toEqual({ data: 'keep' });
    expect(queryOf(say(['a', 'data=keep'], ['b', 'data=delete']))).toEqual({ data: 'a:keep,b:delete' });
    expect(queryOf(say(['a', 'data=delete']))).toEqual({ data: 'a:delete' });
    expect(queryOf()).toEqual({});
  });

  it('adds to what was said before', () => {
    const word = say(['restore', 'restore=latest'], ['servers', 'servers=replace'], ['a', 'data=keep']);
    expect(queryOf(word)).toEqual({ restore: 'latest', servers: 'replace', data: 'keep' });
  });

  it('is shown as flags of alm', () => {
    const word = say(['a', 'data=keep'], ['b', 'data=delete'], ['servers', 'servers=replace']);
    expect(flagsOf(word)).toBe(' --data a=keep --data b=delete --replace-servers');
    expect(flagsOf(say(['a', 'data=keep'], ['restore', 'restore=empty']))).toBe(
      ' --keep-data --restore empty',
    );
    expect(flagsOf()).toBe('');
  });
});
