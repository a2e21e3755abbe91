import { describe, expect, it } from 'vitest';
import { isUnwell, readHealth } from '../../../src/console/parts/status/health.ts';

describe('the health of a stack', () => {
  it('is not mentioned without a container, and not while the stack is deleted', () => {
    expect(readHealth('none', 'CREATE_COMPLETE')).toBeNull();
    expect(readHealth('down', 'DELETE_IN_PROGRESS')).toBeNull();
  });

  it('needs a person if the application does not serve everywhere, but not while it is created or deleted', () => {
    expect(isUnwell('degraded', 'UPDATE_COMPLETE')).toBe(true);
    expect(isUnwell('down', 'UPDATE_IN_PROGRESS')).toBe(true);
    expect(isUnwell('unknown', 'CREATE_COMPLETE')).toBe(false);
    expect(isUnwell('down', 'CREATE_IN_PROGRESS')).toBe(false);
    expect(isUnwell('down', 'DELETE_FAILED')).toBe(false);
  });

  it('is a word and a shape of its own for each value', () => {
    const readings = (['unknown', 'serving', 'degraded', 'down'] as const).map((health) =>
      readHealth(health, 'CREATE_COMPLETE'),
    );
    expect(new Set(readings.map((each) => each?.word)).size).toBe(4);
    expect(new Set(readings.map((each) => each?.tone)).size).toBe(4);
    expect(readHealth('down', 'CREATE_IN_PROGRESS')?.word).toBe('Not serving yet');
  });
});
