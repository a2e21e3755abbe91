import type { StackModel } from '../../../model/stack-model.ts';
import { isEncrypted } from '../../shared/listeners.ts';
import type { Choices } from '../choices.ts';
import type { Dialect } from '../dialect.ts';
import type {
  Certificate,
  CloudFacts,
  Datastore,
  ExternalNetwork,
  Flavor,
  Image,
  Quotas,
  ServiceType,
} from './cloud-facts.ts';

/** What a cloud offers a stack: the facts that matter to its model. */
export interface Offer {
  services: ReadonlySet<ServiceType>;
  flavors: readonly Flavor[];
  images: readonly Image[];
  /** Images of the version before that the list does not have: retired, but still there. */
  keptImages: readonly Image[];
  externalNetworks: readonly ExternalNetwork[];
  zones: Readonly<Record<'servers' | 'volumes', readonly string[]>>;
  volumeTypes: readonly string[];
  datastores: readonly Datastore[];
  certificates: readonly Certificate[];
  quotas: Quotas;
}

const usesCertificates = ({ layers }: StackModel): boolean =>
  layers.some(({ loadBalancer }) => loadBalancer?.listeners.some(isEncrypted));

async function readKeptImages(
  facts: CloudFacts,
  { servers, caches }: Choices,
  listed: readonly Image[],
): Promise<Image[]> {
  const ids = [...Object.values(servers), ...Object.values(caches)].map(({ image }) => image);
  const unlisted = [...new Set(ids)].filter((id) => !listed.some((image) => image.id === id));
  return (await Promise.all(unlisted.map((id) => facts.image(id)))).filter((image) => image !== undefined);
}

interface OfferInput {
  model: StackModel;
  kept: Choices;
  dialect: Dialect;
}

/** Asks all at once. A service that the cloud or the model does not have is not asked. */
export async function readOffer(facts: CloudFacts, { model, kept, dialect }: OfferInput): Promise<Offer> {
  const services = await facts.services();
  const hasDatabases = model.databases.length > 0 && services.has('database') && !dialect.ownServices;
  const [flavors, images, externalNetworks, zones, volumeTypes, datastores, certificates, quotas] =
    await Promise.all([
      facts.flavors(),
      facts.images(),
      facts.externalNetworks(),
      facts.zones(),
      services.has('volumev3') ? facts.volumeTypes() : [],
      hasDatabases ? facts.datastores() : [],
      usesCertificates(model) && services.has('key-manager') ? facts.certificates() : [],
      facts.quotas(),
    ]);
  return {
    services,
    flavors,
    images,
    keptImages: await readKeptImages(facts, kept, images),
    externalNetworks,
    zones,
    volumeTypes,
    datastores,
    certificates,
    quotas,
  };
}
