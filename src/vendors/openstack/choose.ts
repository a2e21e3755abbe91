import { type Outcome, reject } from '../../basics/problem.ts';
import type { StackModel } from '../../model/stack-model.ts';
import { type Choices, nothingChosen } from './choices.ts';
import type { CloudFacts } from './choose/cloud-facts.ts';
import { decide } from './choose/decide.ts';
import { readOffer } from './choose/offer.ts';
import { quotaProblems } from './choose/quotas.ts';
import { compile } from './compile.ts';
import { type DialectName, dialects } from './dialect.ts';
import type { OpenStackDocument } from './document.ts';

interface ChooseInput {
  model: StackModel;
  before: OpenStackDocument | null;
  dialect: DialectName;
  baseUrl: string;
}

/** Resolves the choices a model leaves open, and rejects what the cloud does not offer, before anything is made. */
export async function chooseFor(facts: CloudFacts, input: ChooseInput): Promise<Outcome<Choices>> {
  const { model, before } = input;
  const regions = await facts.regions();
  if (!regions.includes(model.region)) return reject([unknownRegion(model.region, regions)]);
  const dialect = dialects[input.dialect];
  const kept: Choices = { ...nothingChosen, ...before?.choices };
  const offer = await readOffer(facts, { model, kept, dialect });
  const choices = decide({ model, offer, kept, dialect });
  if (!choices.ok) return choices;
  // Only to count what it needs: its own problems are reported when the document is compiled.
  const document = compile({ ...input, stackId: '', choices: choices.value });
  const problems = document.ok ? quotaProblems(document.value, before, offer.quotas) : [];
  return problems.length > 0 ? reject(problems) : choices;
}

const unknownRegion = (region: string, regions: readonly string[]) => ({
  path: 'region',
  message: `There is no region ${region}; this cloud has ${regions.join(', ')}.`,
});
