import type { Problem } from '../../../basics/problem.ts';
import { limits } from '../catalog.ts';
import type { Template } from '../document.ts';
import { findCycle } from '../layout/references.ts';
import { ruleViolations } from './rules.ts';

/** The part of the model that each resource was made from, by logical id. */
type Sources = ReadonlyMap<string, string>;

/** The final check of a compiled template: errors that ROS reports only after it has started. */
export const templateProblems = (template: Template, sources: Sources): Problem[] => [
  ...ruleViolations(template).map(({ resource, message }) => ({
    path: sources.get(resource) ?? 'layers',
    message,
  })),
  ...cycleProblems(template),
  ...sizeProblems(template),
];

function cycleProblems(template: Template): Problem[] {
  const cycle = findCycle(template);
  return cycle
    ? [{ path: 'layers', message: `These resources depend on each other: ${cycle.join(', ')}.` }]
    : [];
}

function sizeProblems(template: Template): Problem[] {
  const tooLarge = (unit: string, size: number, limit: number): Problem[] =>
    size > limit
      ? [
          {
            path: 'layers',
            message: `The stack is too large for ROS: ${size} ${unit}, maximum ${limit}. Split it.`,
          },
        ]
      : [];
  return [
    ...tooLarge('bytes', Buffer.byteLength(JSON.stringify(template)), limits.templateBytes),
    ...tooLarge('resources', Object.keys(template.Resources).length, limits.resources),
  ];
}
