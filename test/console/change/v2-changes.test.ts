import { describe, expect, it } from 'vitest';
import { changesOf, commandOf, editable, patchOf, readable } from '../../../src/console/change/v2/changes.ts';

const before = { architecture: 'art_elb', type: 't2.micro', min: '2', max: '4', image: 'library/nginx' };
const id = 'mo-5447826c870e7-aB3dE6gH9-tk';

describe('the parameters of a stack of API v2', () => {
  it('do not differ by the way a number or a boolean is written', () => {
    expect(changesOf({ min: '2', scaling: 'true' }, { min: 2, scaling: true })).toEqual([]);
    expect(changesOf(before, readable(before) as object as Record<string, unknown>)).toEqual([]);
  });

  it('are sent only where they differ; one that was removed or emptied is cleared', () => {
    const changes = changesOf(before, { architecture: 'art_elb', type: 't2.micro', min: 3, image: '' });
    expect(patchOf(changes)).toEqual({ min: '3', image: null, max: null });
  });

  it('do not differ by the order of the members of a database', () => {
    const [a, b] = [
      { Engine: 'db_mysql', DBStorage: '10' },
      { DBStorage: 10, Engine: 'db_mysql' },
    ];
    expect(changesOf({ database: [a] }, { database: [b] })).toEqual([]);
  });

  it('are edited without the members that only replies have', () => {
    expect(editable({ type: 't2.micro', AWS: 'AK**', AWS_ACCOUNT_NAME: 'SANDBOX' })).toEqual({
      type: 't2.micro',
    });
  });

  it('are shown as a command of alm if it has a flag for each, else of curl, without secrets', () => {
    expect(commandOf(id, changesOf(before, { ...before, min: 3 }))).toBe(
      `alm stack update --apiver v2 --id ${id} --min 3 --wait`,
    );
    const withSecret = commandOf(id, changesOf(before, { ...before, dockerHubPassword: 'walnut 71' }));
    expect(withSecret).toContain('curl -X PUT');
    expect(withSecret).not.toContain('walnut');
  });

  it('are sent with what becomes of data, by flags or by parameters', () => {
    const word = { data: { 'data-1': 'delete' }, servers: 'replace' } as const;
    expect(commandOf(id, changesOf(before, { ...before, min: 3 }), word)).toBe(
      `alm stack update --apiver v2 --id ${id} --min 3 --data data-1=delete --replace-servers --wait`,
    );
    expect(commandOf(id, changesOf(before, { ...before, image: 'nginx' }), word)).toContain(
      `/v2/alm/stack/${id}?servers=replace&data=data-1:delete`,
    );
  });
});
