import type { Problem } from '../../../basics/problem.ts';

/** `regions`: those that stacks may be in. */
export function regionProblems(regions: readonly string[], region: string): Problem[] {
  const message = `There is no region ${region} with all services that stacks need. Use one of ${regions.join(', ')}.`;
  return regions.includes(region) ? [] : [{ path: 'region', message }];
}
