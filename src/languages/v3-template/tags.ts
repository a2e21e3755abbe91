import { at } from '../../basics/problem.ts';
import type { Report } from '../report.ts';

/** IAM of AWS, unlike its other services, ignores the case of names and rejects such tags in the middle of the creation. */
export function reportDuplicateTags(tags: Readonly<Record<string, string>>, report: Report): void {
  const seen = new Map<string, string>();
  for (const name of Object.keys(tags)) {
    const other = seen.get(name.toLowerCase());
    if (other === undefined) seen.set(name.toLowerCase(), name);
    else
      report(
        at('tags', name),
        `is a duplicate of ${other}: AWS ignores the case of names of tags. Remove one.`,
      );
  }
}
