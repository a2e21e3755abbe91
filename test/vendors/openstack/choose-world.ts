import type { StackModel } from '../../../src/model/stack-model.ts';
import type { CloudFacts, Image } from '../../../src/vendors/openstack/choose/cloud-facts.ts';
import type { Offer } from '../../../src/vendors/openstack/choose/offer.ts';
import { chooseFor } from '../../../src/vendors/openstack/choose.ts';
import type { DialectName } from '../../../src/vendors/openstack/dialect.ts';
import type { OpenStackDocument } from '../../../src/vendors/openstack/document.ts';
import { fullOffer } from './offer.ts';

const factsOf = (
  offer: Offer,
  { asked = [], unlisted = [] }: Pick<Options, 'asked' | 'unlisted'>,
): CloudFacts => {
  const read =
    <T>(name: string, value: T) =>
    async (): Promise<T> => {
      asked.push(name);
      return value;
    };
  return {
    regions: read('regions', ['RegionOne']),
    services: read('services', offer.services),
    flavors: read('flavors', offer.flavors),
    images: read('images', offer.images),
    image: async (id) => {
      asked.push(id);
      return [...offer.images, ...unlisted].find((each) => each.id === id);
    },
    externalNetworks: read('externalNetworks', offer.externalNetworks),
    zones: read('zones', offer.zones),
    volumeTypes: read('volumeTypes', offer.volumeTypes),
    datastores: read('datastores', offer.datastores),
    certificates: read('certificates', offer.certificates),
    quotas: read('quotas', offer.quotas),
  };
};

interface Options {
  before?: OpenStackDocument | null;
  dialect?: DialectName;
  asked?: string[];
  /** Images that are still there by their ids, but in no list. */
  unlisted?: readonly Image[];
}

export const choose = (
  model: StackModel,
  offer: Partial<Offer> = {},
  { before = null, dialect = 'openstack', ...world }: Options = {},
) =>
  chooseFor(factsOf(fullOffer(offer), world), {
    model: { ...model, region: model.region === 'ap-northeast-1' ? 'RegionOne' : model.region },
    before,
    dialect,
    baseUrl: 'https://almanac.example.com',
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
