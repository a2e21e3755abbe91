import { expect, it } from 'vitest';
import {
  keptLines,
  type LogLine,
  logCommand,
  merged,
  passing,
  statusWords,
} from '../../src/console/stack/instances/log-lines.ts';

const line = (number: number, text = `line ${number}`): LogLine => ({
  time: `2030-01-01T00:00:00.${String(number).padStart(9, '0')}Z`,
  instance_id: 'i-1',
  flag: 'web0',
  source: 'container',
  container: 'shop',
  stream: 'stdout',
  text,
});
const state = (id: string, value: 'sending' | 'waiting' | 'silent') => ({
  instance_id: id,
  flag: 'web0',
  state: value,
  message: '',
});

it('lines are in the order of time and each is shown once, also if it is sent again', () => {
  const known = merged([], [line(2), line(1)]);
  expect(merged(known, [line(2), line(3)]).map(({ text }) => text)).toEqual(['line 1', 'line 2', 'line 3']);
});

it('the page keeps a limited number of lines, the newest', () => {
  const many = Array.from({ length: keptLines + 5 }, (_, index) => line(index));
  expect(merged([], many)).toHaveLength(keptLines);
  expect(merged([], many)[0]?.text).toBe('line 5');
});

it('the filter ignores case', () => {
  expect(passing([line(1, 'GET /Shop'), line(2, 'other')], ' shop ')).toHaveLength(1);
});

it('logs are called live only if every instance sends', () => {
  expect(statusWords([state('a', 'sending'), state('b', 'sending')])).toEqual({ live: true, words: 'Live' });
  expect(statusWords([state('a', 'sending'), state('b', 'waiting')]).live).toBe(false);
  expect(statusWords([state('a', 'sending'), state('b', 'silent')]).words).toBe('1 of 2 instances live');
});

it('the command has the choices of the page, quoted for a shell', () => {
  expect(logCommand('mo-1', { instance: "i'1", source: 'agent' })).toBe(
    `alm logs mo-1 --follow --lines 200 --instance 'i'\\''1' --source agent`,
  );
});
