import { expect, it } from 'vitest';
import { ServedAlmanac } from './served-almanac.ts';

it.each([
  ['0', false],
  ['1', true],
])(
  'with ALM_METRICS_STACKS=%s, public metrics include the number of stacks: %s',
  async (setting, included) => {
    const almanac = await ServedAlmanac.start({ environment: { ALM_METRICS_STACKS: setting } });
    try {
      await almanac.waitFor(await almanac.applyTemplate(), 'CREATE_COMPLETE');
      const answer = await fetch(`${almanac.url}/metrics`);
      const text = await answer.text();
      expect(answer.status).toBe(200);
      expect(text).toContain('almanac_reconcile_passes_total');
      expect(text.includes('almanac_stacks')).toBe(included);
      expect(text.includes('almanac_stacks{status="CREATE_COMPLETE"} 1')).toBe(included);
    } finally {
      await almanac.close();
    }
  },
);
