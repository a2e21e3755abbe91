import { readdirSync, readFileSync } from 'node:fs';
import { Value } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { type StackModel, stackModel } from '../../../src/model/stack-model.ts';
import type { AlicloudDocument } from '../../../src/vendors/alicloud/document.ts';
import { resourcesOf as alicloudResources } from '../../../src/vendors/alicloud/resources.ts';
import type { AwsDocument } from '../../../src/vendors/aws/document.ts';
import { resourcesOf as awsResources } from '../../../src/vendors/aws/resources.ts';
import type { DockerDocument } from '../../../src/vendors/docker/document.ts';
import { resourcesOf as dockerResources } from '../../../src/vendors/docker/resources.ts';
import type { OpenStackDocument } from '../../../src/vendors/openstack/document.ts';
import { resourcesOf as openStackResources } from '../../../src/vendors/openstack/resources.ts';
import type { DeclaredResource } from '../../../src/vendors/resources.ts';
import { compile as compileForSandbox } from '../../../src/vendors/sandbox/compile.ts';
import type { SandboxDocument } from '../../../src/vendors/sandbox/document.ts';
import { resourcesOf as sandboxResources } from '../../../src/vendors/sandbox/resources.ts';
import type { Vendor } from '../../../src/vendors/vendor.ts';
import { compileForAlicloud } from './alicloud.ts';
import { compileForAws } from './aws.ts';
import { compileForDocker } from './docker.ts';
import { compileForOpenStack } from './openstack.ts';

type Listed = (compiled: unknown, flags: string[]) => DeclaredResource[];

const listOpenStack: Listed = (document, flags) => openStackResources(document as OpenStackDocument, flags);

const vendors: [string, Vendor['compile'], Listed][] = [
  ['sandbox', compileForSandbox, (document, flags) => sandboxResources(document as SandboxDocument, flags)],
  ['aws', compileForAws, (document, flags) => awsResources(document as AwsDocument, flags)],
  [
    'alicloud',
    compileForAlicloud,
    (document, flags) => alicloudResources(document as AlicloudDocument, flags),
  ],
  ['docker', compileForDocker, (document) => dockerResources(document as DockerDocument)],
  ['openstack', compileForOpenStack('openstack'), listOpenStack],
  ['k5', compileForOpenStack('k5'), listOpenStack],
];

const here = new URL('.', import.meta.url);
const cases = readdirSync(here)
  .filter((file) => file.endsWith('.model.json'))
  .map((file) => file.replace('.model.json', ''));

const readModel = (name: string): StackModel =>
  Value.Parse(stackModel, JSON.parse(readFileSync(new URL(`${name}.model.json`, here), 'utf8')));

const listed = (name: string, [, compile, resources]: (typeof vendors)[number]): DeclaredResource[] => {
  const model = readModel(name);
  const outcome = compile(model, 'mo-5447826c870e7-golden000-tk');
  const flags = model.layers.map(({ flag }) => flag);
  return outcome.ok ? resources(outcome.value, flags) : [];
};

const line = ({ name, type, kind, layer, dependsOn }: DeclaredResource): string =>
  `${name} (${type}, ${kind}, ${layer ?? 'no layer'}) <- ${dependsOn.join(' ') || 'nothing'}`;

describe.each(vendors)('the resources of a document of the %s vendor', (...vendor) => {
  it.each(cases)('those of model %s are as in its golden list', async (name) => {
    const text = listed(name, vendor).map(line).join('\n');
    await expect(`${text}\n`).toMatchFileSnapshot(`resources/${name}.${vendor[0]}.txt`);
  });

  it.each(cases)(
    'each of model %s has one name, depends only on others of the list, and in no cycle',
    (name) => {
      const resources = listed(name, vendor);
      const byName = new Map(resources.map((resource) => [resource.name, resource]));
      expect(byName.size).toBe(resources.length);
      const isBelow = new Map<string, boolean>();
      const visit = (resource: DeclaredResource | undefined, above: readonly string[]): void => {
        expect(resource).toBeDefined();
        if (!resource || isBelow.get(resource.name)) return;
        expect(above).not.toContain(resource.name);
        for (const other of resource.dependsOn) visit(byName.get(other), [...above, resource.name]);
        isBelow.set(resource.name, true);
      };
      for (const resource of resources) visit(resource, []);
    },
  );
});
