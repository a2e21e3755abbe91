import { describe, expect, it } from 'vitest';
import { choicesFor, dataParameter, flagsFor } from '../../../src/console/stack/settings/deletion.ts';

const database = { id: 'data-1', confirm: ['data=keep', 'data=delete'] };
const unkeepable = { id: 'data-2', confirm: ['data=delete'] };
const disk = { id: 'data-3', confirm: ['servers=replace'] };

describe('the deletion of a stack', () => {
  it('offers to keep data only if the vendor can keep some of it, and asks nothing about disks alone', () => {
    expect(choicesFor([database, disk])).toEqual(['keep', 'delete']);
    expect(choicesFor([unkeepable, disk])).toEqual(['delete']);
    expect(choicesFor([disk])).toEqual([]);
  });

  it('sends one choice for all stores, and names each if some cannot be kept', () => {
    expect(dataParameter([database, disk], 'keep')).toBe('keep');
    expect(dataParameter([database, disk], 'delete')).toBe('delete');
    expect(dataParameter([database, unkeepable], 'keep')).toBe('data-1:keep,data-2:delete');
    expect(dataParameter([unkeepable], 'keep')).toBe('delete');
    expect(dataParameter([disk], 'keep')).toBeUndefined();
  });

  it('is shown as flags of alm', () => {
    expect(flagsFor('keep')).toEqual([]);
    expect(flagsFor('delete')).toEqual(['--delete-data']);
    expect(flagsFor('data-1:keep,data-2:delete')).toEqual(['--data data-1=keep', '--data data-2=delete']);
  });
});
