import { describe, expect, it } from 'vitest';
import type { Format } from '../../../src/cli/args/flag.ts';
import { showCost } from '../../../src/cli/commands/template/show-cost.ts';
import type { System } from '../../../src/cli/system.ts';
import { Output } from '../../../src/cli/view/output.ts';

type Cost = NonNullable<Parameters<typeof showCost>[1]>;

async function shown(cost: Cost | undefined, format: Format = 'table') {
  const texts = { stdout: '', stderr: '' };
  const system = {
    env: {},
    stdoutIsTty: false,
    stderr: { isTTY: false, write: (text: string) => void (texts.stderr += text) },
    write: (text: string) => void (texts.stdout += text),
  } as unknown as System;
  await showCost(new Output(system, { format, indent: 2, file: undefined }), cost);
  return texts;
}

const amount = (least: number, most = least, unknown: 'none' | 'part' | 'all' = 'none') => ({
  at_minimum: least,
  at_maximum: most,
  unknown,
});

const estimated: Cost = {
  kind: 'estimated',
  notes: ['A month has 730 hours.'],
  currency: 'USD',
  prices_of: '2026-09-01',
  before: amount(13.64),
  after: amount(20, 40, 'part'),
  difference: amount(6.36, 26.36, 'part'),
  resources: [
    {
      resource: 'Group',
      resource_type: 'AWS::AutoScaling::AutoScalingGroup',
      before: amount(13.64),
      after: amount(13.64, 27.28),
      difference: amount(0, 13.64),
      unknown_prices: [],
    },
    {
      resource: 'Cache',
      resource_type: 'AWS::ElastiCache::CacheCluster',
      before: null,
      after: amount(0, 0, 'all'),
      difference: amount(0, 0, 'all'),
      unknown_prices: ['redis node cache.t4g.micro'],
    },
  ],
};

describe('the cost of a change on the command line', () => {
  it('is a table with ranges of groups, unknown prices by name, and a total that says at least', async () => {
    const { stdout, stderr } = await shown(estimated);
    const rows = stdout.split('\n').map((line) => line.split(/ {2,}/));
    expect(rows).toEqual([
      [''],
      ['COST PER MONTH', 'TYPE', 'BEFORE', 'AFTER', 'DIFFERENCE', 'UNKNOWN PRICES'],
      ['Group', 'AWS::AutoScaling::AutoScalingGroup', '13.64', '13.64 to 27.28', '0.00 to +13.64', ''],
      ['Cache', 'AWS::ElastiCache::CacheCluster', '-', 'unknown', 'unknown', 'redis node cache.t4g.micro'],
      ['TOTAL', '13.64', 'at least 20.00 to 40.00', '+6.36 to +26.36 and unknown', ''],
      [''],
    ]);
    expect(stderr).toContain(
      'Estimated cost per month: at least 20.00 to 40.00 USD, +6.36 to +26.36 and unknown compared with now (prices of 2026-09-01).',
    );
    expect(stderr).toContain('A month has 730 hours.');
  });

  it('is one line on standard error with other formats, because the document has it as a member', async () => {
    const { stdout, stderr } = await shown({ ...estimated, before: null }, 'raw');
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^\[alm\]: info: Estimated cost per month: .*USD \(prices of 2026-09-01\)\.\n$/);
  });

  it('of a simulated or free stack is a sentence, and an older server shows none', async () => {
    const free = await shown({ kind: 'free', notes: ['No cloud charges.'] }, 'raw');
    expect(free).toEqual({ stdout: '', stderr: '[alm]: info: No cloud charges.\n' });
    expect(await shown(undefined)).toEqual({ stdout: '', stderr: '' });
  });
});
