import type { StackModel } from '../../../src/model/stack-model.ts';
import { type CloudName, regionsOf } from '../../../src/vendors/alicloud/catalog.ts';
import type { CloudFacts } from '../../../src/vendors/alicloud/choose/cloud-facts.ts';
import type { Offer } from '../../../src/vendors/alicloud/choose/offer.ts';
import { chooseFor } from '../../../src/vendors/alicloud/choose.ts';
import { compile } from '../../../src/vendors/alicloud/compile.ts';
import type { AlicloudDocument } from '../../../src/vendors/alicloud/document.ts';
import { offerFor, offerTime } from './offer.ts';

const baseUrl = 'https://almanac.example.com';

/** A stand-in for the cloud, which records what it is asked. */
const factsOf = (offer: Offer, asked: string[] = []): CloudFacts => {
  const say = async <T>(name: string, value: T): Promise<T> => {
    asked.push(name);
    return value;
  };
  return {
    zones: () => say('zones', offer.zones),
    instanceTypes: (names) =>
      say(
        'instanceTypes',
        offer.instanceTypes.filter(({ name }) => names.includes(name)),
      ),
    systemImage: (architecture) => say('systemImage', offer.systemImages[architecture]),
    images: (ids) =>
      say(
        'images',
        offer.images.filter(({ id }) => ids.includes(id)),
      ),
    certificates: () => say('certificates', offer.certificates),
  };
};

interface Options {
  before?: AlicloudDocument | null;
  cloud?: CloudName;
  asked?: string[];
}

export const choose = (
  model: StackModel,
  offer: Partial<Offer> = {},
  { before = null, cloud = 'alicloud', asked }: Options = {},
) =>
  chooseFor(factsOf(offerFor(model, offer), asked), {
    regions: regionsOf[cloud],
    model,
    before,
    baseUrl,
    now: offerTime,
  });

export const choicesOf = async (...input: Parameters<typeof choose>) => {
  const outcome = await choose(...input);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.problems));
  return outcome.value;
};

export const problemsOf = async (...input: Parameters<typeof choose>) => {
  const outcome = await choose(...input);
  return outcome.ok ? [] : outcome.problems;
};

/** A stack as it is after its first version. */
export async function standing(model: StackModel): Promise<AlicloudDocument> {
  const outcome = compile({ model, stackId: 'mo-1', choices: await choicesOf(model), baseUrl });
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.problems));
  return outcome.value;
}
