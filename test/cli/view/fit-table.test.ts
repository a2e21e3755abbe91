import { describe, expect, it } from 'vitest';
import { ageOf, withAges } from '../../../src/cli/view/ages.ts';
import { cut, fitTable } from '../../../src/cli/view/fit-table.ts';
import { formatTable, type Table, tableTime, widthFor } from '../../../src/cli/view/table.ts';

const id = 'mo-5447826c870e7-aB3dE6gH9-tk';
const stacks: Table = {
  priority: ['STACK NAME', 'STATUS', 'STACK ID', 'LAUNCHED', 'REGION'],
  header: ['STACK ID', 'STACK NAME', 'PLATFORM', 'STATUS', 'REGION', 'LAUNCHED'],
  rows: [
    [id, 'shop', 'aws', 'CREATE_IN_PROGRESS', 'ap-northeast-1', '3m ago'],
    ['mo-5447826c870e7-xY1dE6gH9-sg', '日本の店', 'docker', 'DELETE_FAILED', 'ap-southeast-1', '12d ago'],
  ],
};

const linesAt = async (table: Table, columns: number): Promise<string[]> => {
  const widthOf = await widthFor(table);
  const { gap, table: fitted } = fitTable(table, widthOf, columns);
  const lines = formatTable({ ...fitted, gap }, widthOf, (_tone, text) => text)
    .trimEnd()
    .split('\n');
  for (const line of lines) expect(widthOf(line.trimEnd())).toBeLessThanOrEqual(columns);
  return lines.map((line) => line.trimEnd());
};

describe('a table on a terminal', () => {
  it('at 200 columns is the same as off a terminal', async () => {
    const whole = formatTable(stacks, await widthFor(stacks), (_tone, text) => text);
    expect(await linesAt(stacks, 200)).toEqual(whole.trimEnd().split('\n'));
  });

  it('at 80 columns has each status whole and ids cut in the middle; narrower, the least important column is missing', async () => {
    expect(await linesAt(stacks, 80)).toEqual([
      'STACK ID        STACK NAME  PLATFORM  STATUS              REGION        LAUNCHED',
      'mo-5447…gH9-tk  shop        aws       CREATE_IN_PROGRESS  ap-nor…ast-1  3m ago',
      'mo-5447…gH9-sg  日本の店    docker    DELETE_FAILED       ap-sou…ast-1  12d ago',
    ]);
    expect(fitTable(stacks, await widthFor(stacks), 70).hidden).toEqual(['PLATFORM']);
  });

  it('at 50 columns has the name, the status and the cut id', async () => {
    const [header, first] = await linesAt(stacks, 50);
    expect(header).toMatch(/^STACK ID +STACK NAME +STATUS$/);
    expect(first).toMatch(/^mo-5\S*…\S*-tk +shop +CREATE_IN_PROGRESS$/);
  });

  it('is not wider than the terminal at any width, and always has a column', async () => {
    for (let columns = 18; columns < 140; columns += 1)
      expect(await linesAt(stacks, columns)).toHaveLength(3);
    expect(
      fitTable({ header: ['A'], rows: [['x'.repeat(100)]] }, ({ length }) => length, 10).table.rows,
    ).toEqual([['xxxxx…xxxx']]);
  });

  it('cuts ids in the middle and sentences at the end', () => {
    const widthOf = ({ length }: string): number => length;
    expect(cut(id, 12, widthOf)).toBe('mo-544…H9-tk');
    expect(cut('no such image found', 12, widthOf)).toBe('no such ima…');
    expect(cut('short', 12, widthOf)).toBe('short');
  });
});

describe('times in tables on a terminal', () => {
  const now = Date.parse('2030-01-02T00:00:00Z');
  it.each([
    ['2030-01-01T23:59:58Z', '2s ago'],
    ['2030-01-01T23:57:00Z', '3m ago'],
    ['2030-01-02T08:00:00+09:00', '1h ago'],
    ['2029-12-20T00:00:00Z', '13d ago'],
    ['2027-06-01T00:00:00Z', '2y ago'],
    ['2030-01-03T00:00:00Z', 'in 1d'],
  ])('%s is %s', (time, age) => {
    expect(ageOf(Date.parse(time), now)).toBe(age);
    expect(withAges({ header: ['T', 'U'], rows: [[tableTime(time), `at ${time}`]] }, now).rows).toEqual([
      [age, `at ${time}`],
    ]);
  });
});
