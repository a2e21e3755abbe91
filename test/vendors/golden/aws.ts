import type { Layer, StackModel } from '../../../src/model/stack-model.ts';
import { type Choices, nothingChosen } from '../../../src/vendors/aws/choices.ts';
import { siblingsOf } from '../../../src/vendors/aws/choose/sibling-types.ts';
import { compile } from '../../../src/vendors/aws/compile.ts';
import { openQuestions } from '../../../src/vendors/aws/layout/open-questions.ts';
import { spreadLayers } from '../../../src/vendors/aws/layout/spread.ts';
import { wantedMajor } from '../../../src/vendors/aws/layout/versions.ts';

/** The subnets in further zones that a new stack gets, where every zone offers everything. */
export const spreadForNew = (model: StackModel, zones: readonly string[]): Choices['spread'] =>
  spreadLayers(model, {
    placement: { ...nothingChosen, zones },
    isUndivided: () => false,
    isOffered: () => true,
  });

/** Versions that AWS offers, by engine and major version. */
const databaseVersions: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  mysql: { '5.7': '5.7.44-rds.20260521', '8.0': '8.0.46', '8.4': '8.4.9' },
  postgresql: { '16': '16.14', '17': '17.10' },
};
const cacheVersions = { redis: '7.1', memcached: '1.6.22' } as const;

const offered = ({ databases, caches }: StackModel): Choices['offered'] => ({
  databases: Object.fromEntries(
    databases.map((database) => {
      const version = databaseVersions[database.engine]?.[wantedMajor(database, undefined) ?? ''];
      return [database.name, version === undefined ? {} : { version }];
    }),
  ),
  caches: Object.fromEntries(caches.map(({ name, engine }) => [name, { version: cacheVersions[engine] }])),
});

/** Choices as an account in the model's region could have; always the same. */
export function goldenChoices(model: StackModel): Choices {
  const { imagesOf, spotTypes, domains, types } = openQuestions(model);
  const certificate = (domain: string): string =>
    `arn:aws:acm:${model.region}:123456789012:certificate/of-${domain}`;
  const zones = ['c', 'a', 'd'].map((letter) => `${model.region}${letter}`);
  return {
    ...nothingChosen,
    zones,
    spread: spreadForNew(model, zones),
    offered: offered(model),
    images: Object.fromEntries(
      imagesOf.map(({ flag }) => [flag, { id: 'ami-00000000000000001', architecture: 'x86_64' }]),
    ),
    architectures: Object.fromEntries(types.map((type) => [type, 'x86_64'])),
    siblings: Object.fromEntries(spotTypes.map((type) => [type, siblingsOf(type)])),
    certificates: Object.fromEntries(domains.map((domain) => [domain, certificate(domain)])),
  };
}

/** The AWS vendor rejects network file systems, which other vendors support. */
const withLocalFiles = (layer: Layer): Layer =>
  layer.container?.storage?.kind === 'efs'
    ? {
        ...layer,
        container: { ...layer.container, storage: { ...layer.container.storage, kind: 'local' } },
      }
    : layer;

export const compileForAws = (golden: StackModel, stackId: string) => {
  const model = { ...golden, layers: golden.layers.map(withLocalFiles) };
  const choices = goldenChoices(model);
  return compile({ model, stackId, choices, baseUrl: 'https://almanac.example.com' });
};
