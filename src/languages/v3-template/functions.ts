import { isObject } from '../../basics/is-object.ts';
import { at } from '../../basics/problem.ts';
import type { Members } from '../plain-values.ts';
import { unresolved } from '../read-by-schema.ts';
import type { Report } from '../report.ts';
import { type Locate, locateIn, loneCopy, maxHops } from './locate-member.ts';
import { isReference, isReferencePlace } from './references.ts';

/** Where a function stands. `nested`: it was reached through another one, which stands at `path`. */
interface Place {
  path: string;
  nested: boolean;
}

const calls = /\$\{(\w+)\(([^()]*)\)\}/g;
const openedCall = /\$\{(\w+)\(|\$\{computed(?!\})/;

/** How much copying one template may ask for, in members and characters: copies of copies double quickly. */
const maxCopied = 500_000;

const inCircle = 'refers to itself in a circle; write one of the values out.';
const tooMuch = 'copies far too much; write the values out instead.';

const troubleWithCalls = (text: string): string | null => {
  for (const [, name] of text.matchAll(calls)) {
    if (name === 'copy') return '"${copy(…)}" must stand alone; use "${use(…)}" inside other text.';
    if (name !== 'use') return `"\${${name}(…)}" is not a function; there are \${use(…)} and \${copy(…)}.`;
  }
  return openedCall.test(text.replaceAll(calls, ''))
    ? 'has a function that is not closed; write it as ${use(Flag.member)}.'
    : null;
};

class Resolver {
  readonly #locate: Locate;
  readonly #report: Report;
  readonly #reading: string[] = [];
  #copied = 0;
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
    const before = this.#copied;
    this.#copied += typeof value === 'string' ? value.length + 1 : 1;
    if (before <= maxCopied && this.#copied > maxCopied) this.#report(place.path, tooMuch);
    return this.#copied <= maxCopied;
  }

  #resolveText(text: string, place: Place): unknown {
    if (isReference(text) && !place.nested && !isReferencePlace(place.path))
      return this.#fail(
        place,
        '"#ref(…)" and "#share(…)" cannot stand here; copy the value with "${copy(…)}".',
      );
    const copied = loneCopy.exec(text)?.[1];
    if (copied !== undefined) return this.#fetch(copied, place);
    const trouble = troubleWithCalls(text);
    return trouble ? this.#fail(place, trouble) : this.#substitute(text, place);
  }

  #substitute(text: string, place: Place): unknown {
    const pieces: string[] = [];
    let end = 0;
    for (const call of text.matchAll(calls)) {
      const values = (call[2] ?? '').split(',').map((reference) => this.#fetch(reference, place));
      if (values.includes(unresolved)) return unresolved;
      if (!values.every((value) => typeof value === 'string' || typeof value === 'number'))
        return this.#fail(place, 'can only use text and numbers; "${copy(…)}" copies a whole value.');
      pieces.push(text.slice(end, call.index), values.join(','));
      end = call.index + call[0].length;
    }
    return pieces.join('') + text.slice(end);
  }

  #fetch(reference: string, place: Place): unknown {
    const found = this.#locate(reference);
    if (typeof found === 'string') return this.#fail(place, found);
    if (this.#reading.includes(found.path) || this.#reading.length >= maxHops)
      return this.#fail(place, inCircle);
    const circlesBefore = this.#circles;
    this.#reading.push(found.path);
    const value = this.resolve(found.value, { path: place.path, nested: true });
    this.#reading.pop();
    return this.#circles > circlesBefore ? unresolved : value;
  }

  #fail(place: Place, message: string): typeof unresolved {
    if (message === inCircle) this.#circles += 1;
    // Other trouble with a nested function is reported where that function itself stands.
    if (!place.nested || message === inCircle) this.#report(place.path, message);
    return unresolved;
  }
}

const resolveLayer = (layer: unknown, path: string, resolver: Resolver): unknown => {
  if (!isObject(layer)) return layer;
  // Functions find layers by flag, so a flag cannot be made by one.
  const fixed = new Set(['flag', 'role']);
  const members = Object.entries(layer).map(([name, member]) => {
    if (fixed.has(name)) return [name, member];
    return [name, resolver.resolve(member, { path: at(path, name), nested: false })];
  });
  return Object.fromEntries(members);
};

/** Replaces every `${use(…)}` and `${copy(…)}` in the layers of a template that is in present spelling. */
export const resolveFunctions = (template: Members, report: Report): Members => {
  const layers = template['configurations'];
  for (const member of ['label', 'description', 'nickname'])
    if (typeof template[member] === 'string' && troubleWithCalls(template[member]) !== null)
      report(member, 'cannot use functions; they work inside configurations.');
  if (!Array.isArray(layers)) return template;
  const resolver = new Resolver(layers, report);
  return {
    ...template,
    configurations: layers.map((layer, index) => resolveLayer(layer, at('configurations', index), resolver)),
  };
};
