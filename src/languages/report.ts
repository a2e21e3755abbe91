import { at, type Problem } from '../basics/problem.ts';

/** Records one problem. The caller continues, so that one request returns all problems. */
export type Report = (path: string, message: string) => undefined;

/** A place in the user's document, and the report for problems there. */
export interface Location {
  path: string;
  report: Report;
}

export const below = ({ path, report }: Location, name: string | number): Location => ({
  path: at(path, name),
  report,
});

/** More than anyone reads; a hostile document must not produce a response many times its size. */
const maxProblems = 200;

export interface ProblemList {
  report: Report;
  /** All recorded problems; `asWritten` turns a path into the spelling of the document's author. */
  problems(asWritten?: (path: string) => string): readonly Problem[];
}

export const collectProblems = (): ProblemList => {
  const recorded = new Map<string, string>();
  return {
    report: (path, message) => {
      // Later problems of the same member are consequences of the first.
      if (!recorded.has(path)) recorded.set(path, message);
      return undefined;
    },
    problems: (asWritten = (path) => path) => {
      const shown = [...recorded]
        .slice(0, maxProblems)
        .map(([path, message]) => ({ path: asWritten(path), message }));
      const hidden = recorded.size - shown.length;
      return hidden > 0 ? [...shown, { path: '', message: `has ${hidden} more problems.` }] : shown;
    },
  };
};
