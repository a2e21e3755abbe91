import type { Problem } from '../../../basics/problem.ts';
import { limits } from '../catalog.ts';
import type { OpenStackDocument, Template } from '../document.ts';
import { findCycle } from '../layout/references.ts';

/** The final check of a compiled document: errors that Heat reports only after it has started, or without saying why. */
export const templateProblems = ({ template, files }: OpenStackDocument): Problem[] => [
  ...[template, ...Object.values(files)].flatMap(cycleProblems),
  ...sizeProblems(template, files),
];

function cycleProblems(template: Template): Problem[] {
  const cycle = findCycle(template);
  return cycle
    ? [{ path: 'layers', message: `These resources depend on each other: ${cycle.join(', ')}.` }]
    : [];
}

function sizeProblems(template: Template, files: OpenStackDocument['files']): Problem[] {
  const bytes = Buffer.byteLength(JSON.stringify([template, files]));
  const resources = Object.keys(template.resources).length;
  const tooLarge = (unit: string, size: number, limit: number): Problem[] =>
    size > limit
      ? [
          {
            path: 'layers',
            message: `The stack is too large for Heat: ${size} ${unit}, maximum ${limit}. Split it.`,
          },
        ]
      : [];
  return [
    ...tooLarge('bytes', bytes, limits.templateBytes),
    ...tooLarge('resources', resources, limits.resources),
  ];
}
