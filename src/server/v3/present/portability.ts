import type { CloudReport } from '../../../operations/stacks/portability/report-cloud.ts';

export const presentClouds = (clouds: readonly CloudReport[]) => ({
  status: 'success',
  clouds: clouds.map(({ vendor, region, asked, result, notes, rows }) => ({
    vendor,
    region,
    asked,
    result,
    notes,
    rows: rows.map(({ becomes, ...row }) => ({
      ...row,
      becomes: becomes.map(({ resourceType, count }) => ({ resource_type: resourceType, count })),
    })),
  })),
});
