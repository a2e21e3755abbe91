import { isObject } from '../../basics/is-object.ts';
import { at } from '../../basics/problem.ts';
import { type Members, maxValues } from '../plain-values.ts';
import { unresolved } from '../read-by-schema.ts';
import type { Report } from '../report.ts';
import { type Locate, locateIn, loneCopy, maxHops } from './locate-member.ts';
import { isReference, supportsReferences } from './references.ts';

/** Location of a function. `nested`: it was reached through another one, which is at `path`. */
interface Place {
  path: string;
  nested: boolean;
}

const calls = /\$\{(\w+)\(([^()]*)\)\}/g;
const openedCall = /\$\{(\w+)\(|\$\{computed(?!\})/;

/** Limit of copied characters per template: copies of copies double quickly. The limit of members is that of all documents. */
const maxCopied = 500_000;

const circular = 'is a circular reference; replace one of the references with a value.';
const tooMuch = `copies too much: more than ${maxValues} members or ${maxCopied} characters; write the values instead.`;

const callProblem = (text: string): string | null => {
  for (const [, name] of text.matchAll(calls)) {
    if (name === 'copy') return '"${copy(…)}" must be the whole value; use "${use(…)}" inside other text.';
    if (name !== 'use') return `unknown function "\${${name}(…)}"; use \${use(…)} or \${copy(…)}.`;
  }
  return openedCall.test(text.replaceAll(calls, ''))
    ? 'has a function that is not closed; write ${use(Flag.member)}.'
    : null;
};

class Resolver {
  readonly #locate: Locate;
  readonly #report: Report;
  readonly #reading: string[] = [];
  #copiedValues = 0;
  #copiedCharacters = 0;
  #circles = 0;

  constructor(layers: readonly unknown[], report: Report) {
    this.#locate = locateIn(layers);
    this.#report = report;
  }

  resolve(value: unknown, place: Place): unknown {
    if (place.nested && !this.#mayCopy(value, place)) return unresolved;
    if (typeof value === 'string') return this.#resolveText(value, place);
    const inside = (name: string | number): Place =>
      place.nested ? place : { path: at(place.path, name), nested: false };
    if (Array.isArray(value)) return value.map((entry, index) => this.resolve(entry, inside(index)));
    if (!isObject(value)) return value;
    const members = Object.entries(value);
    return Object.fromEntries(members.map(([name, member]) => [name, this.resolve(member, inside(name))]));
  }

  #mayCopy(value: unknown, place: Place): boolean {
    const couldBefore = this.#canCopy;
    this.#copiedValues += 1;
    if (typeof value === 'string') this.#copiedCharacters += value.length;
    if (couldBefore && !this.#canCopy) this.#report(place.path, tooMuch);
    return this.#canCopy;
  }

  get #canCopy(): boolean {
    return this.#copiedValues <= maxValues && this.#copiedCharacters <= maxCopied;
  }

  #resolveText(text: string, place: Place): unknown {
    if (isReference(text) && !place.nested && !supportsReferences(place.path))
      return this.#fail(
        place,
        '"#ref(…)" and "#share(…)" are not supported here; use "${copy(…)}" to copy the value.',
      );
    const copied = loneCopy.exec(text)?.[1];
    if (copied !== undefined) return this.#fetch(copied, place);
    const problem = callProblem(text);
    return problem ? this.#fail(place, problem) : this.#substitute(text, place);
  }

  #substitute(text: string, place: Place): unknown {
    const pieces: string[] = [];
    let end = 0;
    for (const call of text.matchAll(calls)) {
      const values = (call[2] ?? '').split(',').map((reference) => this.#fetch(reference, place));
      if (values.includes(unresolved)) return unresolved;
      if (!values.every((value) => typeof value === 'string' || typeof value === 'number'))
        return this.#fail(
          place,
          '"${use(…)}" supports only strings and numbers; use "${copy(…)}" for objects and lists.',
        );
      pieces.push(text.slice(end, call.index), values.join(','));
      end = call.index + call[0].length;
    }
    return pieces.join('') + text.slice(end);
  }

  #fetch(reference: string, place: Place): unknown {
    const found = this.#locate(reference);
    if (typeof found === 'string') return this.#fail(place, found);
    if (this.#reading.includes(found.path) || this.#reading.length >= maxHops)
      return this.#fail(place, circular);
    const circlesBefore = this.#circles;
    this.#reading.push(found.path);
    const value = this.resolve(found.value, { path: place.path, nested: true });
    this.#reading.pop();
    return this.#circles > circlesBefore ? unresolved : value;
  }

  #fail(place: Place, message: string): typeof unresolved {
    if (message === circular) this.#circles += 1;
    // Other problems of a nested function are reported at its own path.
    if (!place.nested || message === circular) this.#report(place.path, message);
    return unresolved;
  }
}

const resolveLayer = (layer: unknown, path: string, resolver: Resolver): unknown => {
  if (!isObject(layer)) return layer;
  // Functions find layers by flag, so a flag cannot contain one.
  const fixed = new Set(['flag', 'role']);
  const members = Object.entries(layer).map(([name, member]) => {
    if (fixed.has(name)) return [name, member];
    return [name, resolver.resolve(member, { path: at(path, name), nested: false })];
  });
  return Object.fromEntries(members);
};

/** Replaces every `${use(…)}` and `${copy(…)}` in the layers of a template without aliases. */
export const resolveFunctions = (template: Members, report: Report): Members => {
  const layers = template['configurations'];
  for (const member of ['label', 'description', 'name'])
    if (typeof template[member] === 'string' && callProblem(template[member]) !== null)
      report(member, 'does not support functions; use them only inside configurations.');
  if (!Array.isArray(layers)) return template;
  const resolver = new Resolver(layers, report);
  return {
    ...template,
    configurations: layers.map((layer, index) => resolveLayer(layer, at('configurations', index), resolver)),
  };
};
