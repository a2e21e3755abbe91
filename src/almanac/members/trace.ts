import { addEffects, type Effects } from './effects.ts';
import type { Language } from './languages.ts';
import { membersOf, pathText } from './schema-members.ts';
import { type Document, type Samples, variantsOf } from './variants.ts';

export interface TracedMember {
  /** Member names separated by slashes; a star for every entry of a list. */
  path: string;
  effects: Effects;
}

/** Changes each member of the bases in turn, compiles, and collects what differs in the templates. */
export function traceMembers(
  { schema, compile }: Language,
  bases: readonly Document[],
  samples: Samples,
): TracedMember[] {
  const compiled = bases.map((base, index) => {
    const template = compile(base);
    if (!template) throw new Error(`Base document ${index} does not compile.`);
    return { base, template };
  });
  return membersOf(schema).map((member) => {
    const effects: Effects = new Map();
    for (const { base, template } of compiled)
      for (const variant of variantsOf(base, member, samples)) {
        const changed = compile(variant);
        if (changed) addEffects(effects, template, changed);
      }
    return { path: pathText(member.path), effects };
  });
}
