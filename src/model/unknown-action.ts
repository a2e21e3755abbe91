import { closestWord } from '../basics/closest-word.ts';
import { actions } from './actions.ts';

/** Verbs people know from other services, and the ones used here. */
const verbs = new Map([
  ['list', 'describe'],
  ['get', 'describe'],
  ['show', 'describe'],
  ['read', 'describe'],
  ['add', 'create'],
  ['edit', 'update'],
  ['modify', 'update'],
  ['remove', 'delete'],
  ['destroy', 'delete'],
]);

const withKnownVerb = (action: string): string =>
  action.replace(/(?<=:)[a-z]+/, (verb) => verbs.get(verb) ?? verb);

/** A sentence about an action pattern that matches no action of this service. */
export const unknownAction = (text: string): string => {
  const closest = closestWord(withKnownVerb(text), actions);
  const hint = closest === null ? '.' : `; did you mean ${closest}?`;
  return `unknown action "${text.slice(0, 60)}"${hint}`;
};
