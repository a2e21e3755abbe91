import type { StackModel } from '../../../model/stack-model.ts';
import { isEncrypted } from '../../shared/listeners.ts';
import { defaultTypes } from '../catalog.ts';
import type { Architecture, Choices } from '../choices.ts';
import { siblingsOf } from '../layout/instance-types.ts';
import { wantedVersion } from '../layout/service-classes.ts';
import type { Certificate, CloudFacts, Image, InstanceType, Quotas } from './cloud-facts.ts';

/** What the cloud has of the things that a model may need. */
export interface Offer {
  zones: readonly string[];
  instanceTypes: readonly InstanceType[];
  /** By architecture. */
  systemImages: Readonly<Partial<Record<Architecture, Image>>>;
  images: readonly Image[];
  certificates: readonly Certificate[];
  /** By engine and version, with a space between them. Absent: the cloud does not say. */
  databaseClasses: Readonly<Record<string, readonly string[]>>;
  quotas: Quotas;
  /** Milliseconds since 1970. */
  now: number;
}

const usesCertificates = ({ layers }: StackModel): boolean =>
  layers.some(({ loadBalancer }) => loadBalancer?.listeners.some(isEncrypted));

const typesIn = ({ layers }: StackModel, kept: Choices): string[] => {
  const named = layers.flatMap(({ flag, instanceType }) => [instanceType, kept.servers[flag]?.type]);
  const types = [...named.flatMap((type) => type ?? []), ...defaultTypes];
  return [...new Set([...types, ...types.flatMap(siblingsOf)])];
};

/** Asks only for what the model may need. */
export async function readOffer(
  facts: CloudFacts,
  { model, kept }: { model: StackModel; kept: Choices },
  now: number,
): Promise<Offer> {
  const ids = [...new Set(model.layers.flatMap(({ machineImage }) => machineImage ?? []))];
  const [zones, instanceTypes, x86, arm, images, certificates, classes, quotas] = await Promise.all([
    facts.zones(),
    facts.instanceTypes(typesIn(model, kept)),
    facts.systemImage('x86_64'),
    facts.systemImage('arm64'),
    ids.length > 0 ? facts.images(ids) : [],
    usesCertificates(model) ? facts.certificates() : [],
    readClasses(facts, model),
    facts.quotas(),
  ]);
  return {
    zones,
    instanceTypes,
    systemImages: { ...(x86 ? { x86_64: x86 } : {}), ...(arm ? { arm64: arm } : {}) },
    images,
    certificates,
    databaseClasses: classes,
    quotas,
    now,
  };
}

async function readClasses(
  facts: CloudFacts,
  { databases }: StackModel,
): Promise<Record<string, readonly string[]>> {
  const answers = await Promise.all(
    databases.map(async (database): Promise<[string, readonly string[]][]> => {
      const version = wantedVersion(database, undefined);
      if (version === undefined) return [];
      const classes = await facts.databaseClasses(database.engine, version);
      return classes ? [[`${database.engine} ${version}`, classes]] : [];
    }),
  );
  return Object.fromEntries(answers.flat());
}
