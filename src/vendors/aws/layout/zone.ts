import type { Problem } from '../../../basics/problem.ts';
import { catalog } from '../catalog.ts';

/** The form of a name only: AWS itself is asked which regions exist. A name becomes part of the address of AWS. */
export const regionProblems = (region: string): Problem[] =>
  /^[a-z]{2}(-[a-z]+){1,3}-\d{1,2}$/.test(region)
    ? []
    : [
        {
          path: 'region',
          message: `Unknown AWS region ${region}. Use one of ${catalog.regions.join(', ')}.`,
        },
      ];

/** Zone names start with the region, as in ap-northeast-1a. Local zones also contain a city. */
export const belongsTo = (zone: string, region: string): boolean =>
  zone.startsWith(region) && /^(-[a-z0-9]+-\d+)?[a-z]$/.test(zone.slice(region.length));

/** Family and size, as in t3.micro or u-6tb1.metal. */
export const looksLikeType = (type: string): boolean => /^[a-z][a-z0-9-]*\.[a-z0-9-]+$/.test(type);
