import type { Problem } from '../../../basics/problem.ts';
import { catalog } from '../catalog.ts';

export const regionProblems = (region: string): Problem[] =>
  catalog.regions.includes(region)
    ? []
    : [
        {
          path: 'region',
          message: `Almanac knows no AWS region ${region}. It knows ${catalog.regions.join(', ')}.`,
        },
      ];

/** Zones are named after their region: ap-northeast-1a, also with the city of a local zone between. */
export const belongsTo = (zone: string, region: string): boolean =>
  zone.startsWith(region) && /^(-[a-z0-9]+-\d+)?[a-z]$/.test(zone.slice(region.length));

/** Family and size: t3.micro, u-6tb1.metal. */
export const looksLikeType = (type: string): boolean => /^[a-z][a-z0-9-]*\.[a-z0-9-]+$/.test(type);
