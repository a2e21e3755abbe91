import type { Problem } from '../basics/problem.ts';

/** Notes one thing that is wrong; whoever calls it goes on, so that all problems are found at once. */
export type Report = (path: string, message: string) => undefined;

/** More than anyone reads; a hostile document must not get an answer many times its own size. */
const maxProblems = 200;

export interface Notebook {
  report: Report;
  /** All that was noted; `asWritten` turns a path into the one the author would write. */
  problems(asWritten?: (path: string) => string): readonly Problem[];
}

export const openNotebook = (): Notebook => {
  const noted = new Map<string, string>();
  return {
    report: (path, message) => {
      // What is found later about the same member follows from what was said first.
      if (!noted.has(path)) noted.set(path, message);
      return undefined;
    },
    problems: (asWritten = (path) => path) => {
      const all = [...noted].map(([path, message]) => ({ path: asWritten(path), message }));
      const left = all.length - maxProblems;
      if (left <= 0) return all;
      return [...all.slice(0, maxProblems), { path: '', message: `has ${left} more problems.` }];
    },
  };
};
