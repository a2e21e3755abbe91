import { type Outcome, reject } from '../../basics/problem.ts';
import type { StackModel } from '../../model/stack-model.ts';
import { type Choices, nothingChosen } from './choices.ts';
import type { CloudFacts } from './choose/cloud-facts.ts';
import { decide } from './choose/decide.ts';
import { readOffer } from './choose/offer.ts';
import { replacementProblems } from './choose/replacements.ts';
import { compile } from './compile.ts';
import type { AlicloudDocument } from './document.ts';
import { regionProblems } from './layout/regions.ts';

interface ChooseInput {
  /** The regions that stacks may be in. */
  regions: readonly string[];
  model: StackModel;
  before: AlicloudDocument | null;
  baseUrl: string;
  /** Milliseconds since 1970. */
  now: number;
}

/**
 * Resolves the choices a model leaves open. Rejects what the cloud does not offer, and what would replace something that
 * must not be lost, before anything is made.
 */
export async function chooseFor(facts: CloudFacts, input: ChooseInput): Promise<Outcome<Choices>> {
  const { regions, model, before, baseUrl } = input;
  const unknown = regionProblems(regions, model.region);
  if (unknown.length > 0) return reject(unknown);
  const kept: Choices = { ...nothingChosen, ...before?.choices };
  const offer = await readOffer(facts, { model, kept }, input.now);
  const choices = decide({ model, offer, kept });
  if (!choices.ok) return choices;
  if (!before) return choices;
  // Only to compare: its own problems are reported when the document is compiled.
  const document = compile({ model, stackId: before.stackId, choices: choices.value, baseUrl });
  if (!document.ok) return choices;
  const problems = replacementProblems(model, before, document.value);
  return problems.length > 0 ? reject(problems) : choices;
}
