import type { Problem } from '../../../src/basics/problem.ts';
import type { StackModel } from '../../../src/model/stack-model.ts';
import { type Choices, nothingChosen } from '../../../src/vendors/alicloud/choices.ts';
import { decide } from '../../../src/vendors/alicloud/choose/decide.ts';
import type { Offer } from '../../../src/vendors/alicloud/choose/offer.ts';
import { compile } from '../../../src/vendors/alicloud/compile.ts';
import type {
  AlicloudDocument,
  Properties,
  TemplateResource,
} from '../../../src/vendors/alicloud/document.ts';
import { offerFor } from './offer.ts';

export interface CompileOptions {
  baseUrl?: string;
  /** Choices of the version before. */
  kept?: Partial<Choices>;
  /** Replace the choices that were made. */
  choices?: Partial<Choices>;
  offer?: Partial<Offer>;
}

/** Chooses and compiles, on a cloud that has whatever the model names. */
export function outcomeOf(model: StackModel, options: CompileOptions = {}) {
  const { baseUrl = 'https://almanac.example.com', kept, offer } = options;
  const decided = decide({
    model,
    offer: offerFor(model, offer),
    kept: { ...nothingChosen, ...kept },
  });
  if (!decided.ok) return decided;
  return compile({ model, stackId: 'mo-1', choices: { ...decided.value, ...options.choices }, baseUrl });
}

export function documentOf(model: StackModel, options: CompileOptions = {}): AlicloudDocument {
  const outcome = outcomeOf(model, options);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.problems));
  return outcome.value;
}

export const problemsOf = (model: StackModel, options: CompileOptions = {}): readonly Problem[] => {
  const outcome = outcomeOf(model, options);
  return outcome.ok ? [] : outcome.problems;
};

/** The next version of a stack, which keeps the choices of the one before. */
export const nextDocument = (before: AlicloudDocument, model: StackModel, options: CompileOptions = {}) =>
  documentOf(model, { ...options, kept: before.choices });

export const propertiesIn = ({ template }: AlicloudDocument, id: string): Properties =>
  template.Resources[id]?.Properties ?? {};

/** The document with another resource under a name. */
export const withResource = (
  document: AlicloudDocument,
  id: string,
  resource: TemplateResource,
): AlicloudDocument => ({
  ...document,
  template: { ...document.template, Resources: { ...document.template.Resources, [id]: resource } },
});
