import { readScope, type Scope } from '../../src/model/role-scope.ts';

const form = /^(?<Effect>\w+) (?<Action>\S+)(?: on (?<Resource>\S+))?(?: if (?<owners>\S+))?$/;

/** Parses a scope in short notation: `Allow stack:* on mo-1 if ann,bob; Deny stack:deleteStack`. */
export const written = (statements: string): Scope => {
  const Statement = statements.split('; ').flatMap((text) => {
    if (text === '') return [];
    const { Effect, Action, Resource = '*', owners } = form.exec(text)?.groups ?? {};
    const Condition = owners ? { ownerFilter: { username: owners.split(',') } } : undefined;
    return { Effect, Action, Resource, Condition };
  });
  const read = readScope({ version: '2017-05-05', Statement });
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read.value.scope;
};

export const held = (scope: Scope) => [{ roleId: 'morole-1', name: 'Testers', scope }];
