import { at } from '../basics/problem.ts';
import type { Members } from './plain-values.ts';

/** Vendors report problems at members of the model. This finds the members of the document that they were made from. */

/** Members of the document for each member of the model, likeliest first. `*`: any entry of a list. */
export type Origins = Readonly<Record<string, readonly string[]>>;

/** The name under which the author wrote a member of the object at `position`; undefined: it is missing. */
export type SpellingOf = (members: Members, position: string, name: string) => string | undefined;

const patternOf = (path: string): string => path.replaceAll(/\/\d+(?=\/|$)/g, '/*');

/** The origins of a member of the model, or of the closest part of the model that contains it. */
export function originsOf(origins: Origins, path: string): string[] {
  const found = origins[patternOf(path)];
  if (!found) return path === '' ? [''] : originsOf(origins, path.split('/').slice(0, -1).join('/'));
  const indexes = path.match(/\d+(?=\/|$)/g) ?? [];
  return found.map((origin) => {
    let next = 0;
    return origin.replaceAll('*', () => indexes[next++] ?? '0');
  });
}

interface Written {
  path: string;
  /** Parts of the path that the document lacks. */
  missing: number;
}

/** Follows a path as far as the document goes: to a value, or to the first missing member. */
function follow(document: unknown, path: string, spellingOf: SpellingOf): Written {
  const names = path.split('/');
  let value = document;
  let written = '';
  let position = '';
  for (const [index, name] of names.entries()) {
    // A text stands for a whole object or list, such as a copy of another layer's.
    if (typeof value !== 'object' || value === null) return { path: written, missing: 0 };
    const isList = Array.isArray(value);
    const members = value as Members;
    if (isList && !Object.hasOwn(members, name)) return { path: written, missing: names.length - index };
    const spelling = isList ? name : spellingOf(members, position, name);
    written = at(written, spelling ?? name);
    if (spelling === undefined) return { path: written, missing: names.length - index };
    value = members[spelling];
    position = at(position, isList ? '*' : name);
  }
  return { path: written, missing: 0 };
}

interface Search {
  candidates: readonly string[];
  /** The first is what the caller sent. */
  documents: readonly unknown[];
  spellingOf: SpellingOf;
}

/** The first candidate that a document has; else the first that one could have; always a member of a document or a missing one. */
export function locate({ candidates, documents, spellingOf }: Search): string {
  const written = documents.flatMap((document) =>
    candidates.map((path) => follow(document, path, spellingOf)),
  );
  const best = [0, 1].map((missing) => written.find((each) => each.missing === missing));
  return (best[0] ?? best[1] ?? written[0])?.path ?? '';
}
