import type { Problem } from '../../../src/basics/problem.ts';
import type { StackModel } from '../../../src/model/stack-model.ts';
import { type Choices, nothingChosen } from '../../../src/vendors/openstack/choices.ts';
import { decide } from '../../../src/vendors/openstack/choose/decide.ts';
import type { Offer } from '../../../src/vendors/openstack/choose/offer.ts';
import { compile } from '../../../src/vendors/openstack/compile.ts';
import { type DialectName, dialects } from '../../../src/vendors/openstack/dialect.ts';
import type { OpenStackDocument } from '../../../src/vendors/openstack/document.ts';
import { goldenOffer } from '../golden/openstack.ts';

export interface CompileOptions {
  dialect?: DialectName;
  baseUrl?: string;
  /** Choices of the version before. */
  kept?: Partial<Choices>;
  offer?: Partial<Offer>;
}

/** Chooses and compiles, on a cloud that has whatever the model names. */
function outcomeOf(model: StackModel, options: CompileOptions = {}) {
  const { dialect = 'openstack', baseUrl = 'https://almanac.example.com', kept, offer } = options;
  const choices = decide({
    model,
    offer: { ...goldenOffer(model), ...offer },
    kept: { ...nothingChosen, ...kept },
    dialect: dialects[dialect],
  });
  if (!choices.ok) return choices;
  return compile({ model, stackId: 'mo-1', choices: choices.value, dialect, baseUrl });
}

export function documentOf(model: StackModel, options: CompileOptions = {}): OpenStackDocument {
  const outcome = outcomeOf(model, options);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.problems));
  return outcome.value;
}

export const problemsOf = (model: StackModel, options: CompileOptions = {}): readonly Problem[] => {
  const outcome = outcomeOf(model, options);
  return outcome.ok ? [] : outcome.problems;
};

/** The next version of a stack, which keeps the choices of the one before. */
export const nextDocument = (before: OpenStackDocument, model: StackModel, options: CompileOptions = {}) =>
  documentOf(model, { ...options, kept: before.choices });
