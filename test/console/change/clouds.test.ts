import { expect, it } from 'vitest';
import {
  becomesWords,
  type Cloud,
  type CloudRow,
  lineAt,
  memberLines,
  memberWords,
  summaryOf,
} from '../../../src/console/change/clouds/report.ts';

const row = (member: string, result: CloudRow['result'], name = ''): CloudRow => ({
  member,
  name,
  path: '',
  result,
  becomes: [],
  notes: [],
});

const cloud = (vendor: string, rows: CloudRow[], result: Cloud['result'] = 'maps'): Cloud => ({
  vendor,
  region: 'somewhere',
  asked: false,
  result,
  notes: [],
  rows,
});

it('the table of clouds has a line for each member and a last one for the whole template, also if one cloud says nothing', () => {
  const lines = memberLines([
    cloud('none', [], 'unknown'),
    cloud('aws', [row('network', 'maps'), row('database', 'changes', 'Web')], 'changes'),
    cloud('docker', [row('network', 'maps'), row('database', 'refused', 'Web')], 'refused'),
  ]);
  expect(lines.map(({ words, results }) => [words, results])).toEqual([
    ['Network', { aws: 'maps', docker: 'maps' }],
    ['Database of Web', { aws: 'changes', docker: 'refused' }],
    ['The whole template', { none: 'unknown', aws: 'changes', docker: 'refused' }],
  ]);
});

it('a cloud is summed up with what is refused first, and nothing that does not occur', () => {
  const rows = [row('network', 'maps'), row('database', 'refused', 'Web'), row('servers', 'maps', 'Web')];
  expect(summaryOf(cloud('docker', rows))).toBe('1 refused, 2 map');
  expect(summaryOf(cloud('aws', [row('network', 'changes')]))).toBe('1 changes');
});

it('a member is named in words with its layer, and what it becomes with the number of resources', () => {
  expect(memberWords({ member: 'load_balancer', name: 'Web' })).toBe('Load balancer of Web');
  const becomes = [
    { resource_type: 'OS::Neutron::Net', count: 2 },
    { resource_type: 'OS::Neutron::Router', count: 1 },
  ];
  expect(becomesWords({ ...row('network', 'maps'), becomes })).toBe(
    '2 × OS::Neutron::Net, OS::Neutron::Router',
  );
});

it('the line of a place is counted from 1', () => {
  expect(lineAt('a\nb\nc', 0)).toBe(1);
  expect(lineAt('a\nb\nc', 4)).toBe(3);
});
