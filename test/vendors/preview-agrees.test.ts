import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../src/basics/problem.ts';
import type { StackModel } from '../../src/model/stack-model.ts';
import { preview as previewAlicloud } from '../../src/vendors/alicloud/preview.ts';
import { preview as previewAws } from '../../src/vendors/aws/preview.ts';
import type { DockerDocument } from '../../src/vendors/docker/document.ts';
import { onEngine } from '../../src/vendors/docker/names.ts';
import { preview as previewDocker } from '../../src/vendors/docker/preview.ts';
import { preview as previewOpenStack } from '../../src/vendors/openstack/preview.ts';
import type { SandboxDocument } from '../../src/vendors/sandbox/document.ts';
import { preview as previewSandbox } from '../../src/vendors/sandbox/preview.ts';
import type { PlannedChange } from '../../src/vendors/vendor.ts';
import { stackId as onSimulatedEngine, SimulatedEngine } from './docker/simulated-engine.ts';
import { compileForAlicloud } from './golden/alicloud.ts';
import { compileForAws } from './golden/aws.ts';
import { compileForDocker } from './golden/docker.ts';
import { compileForOpenStack } from './golden/openstack.ts';
import { modelOf, templatePairs } from './random-templates.ts';
import { longEnough, sandboxWorld, stackNamed } from './sandbox/world.ts';

/** `Web010 Instance` and so on, in order. */
const named = (changes: readonly PlannedChange[], ...actions: PlannedChange['action'][]): string[] =>
  changes
    .filter(({ action }) => actions.length === 0 || actions.includes(action))
    .map(({ resource }) => resource)
    .toSorted();

const forRandomPairs = (check: (before: StackModel, after: StackModel) => Promise<void> | void) =>
  fc.assert(
    fc.asyncProperty(templatePairs, async ([before, after]) => check(modelOf(before), modelOf(after))),
    { numRuns: 60 },
  );

describe('the preview lists exactly the resources that apply changes', () => {
  it('on the sandbox, where apply reports every step', async () => {
    await forRandomPairs(async (before, after) => {
      const world = sandboxWorld();
      const stack = world.on(stackNamed('preview'));
      const documents = [before, after].map((model) => world.compiled(model, stack.stack.id));
      const [one, other] = documents as [unknown, unknown] as [SandboxDocument, SandboxDocument];
      await stack.apply(before, 'v1');
      world.clock.advance(longEnough);
      await stack.apply(after, 'v2');
      const { stack: stored } = await world.cloud.read(`${stack.stack.accountId}/cred`, stack.stack.id);
      const steps = stored?.steps.filter(({ turn }) => turn.startsWith('v2')) ?? [];
      const changed = [...new Set(steps.map(({ resource }) => resource.name))].toSorted();
      expect(named(previewSandbox(one, other))).toEqual(changed);
    });
  });

  it('on docker, for everything that is made, removed or replaced', async () => {
    await forRandomPairs((before, after) => {
      const [one, other] = [before, after].map(dockerDocument) as [DockerDocument, DockerDocument];
      const engine = new SimulatedEngine();
      engine.converge(one);
      const old = stateOf(engine);
      engine.converge(other);
      const now = stateOf(engine);
      const names = [...new Set([...old.keys(), ...now.keys()])];
      const changed = names.filter((name) => old.get(name) !== now.get(name)).toSorted();
      const planned = previewDocker(one, other).map(({ action, resource, resourceType }) => ({
        action,
        name: `${resourceType === 'Volume' ? 'volume' : 'container'} ${resource}`,
      }));
      const made = planned.filter(({ action }) => action !== 'change').map(({ name }) => name);
      expect(made.toSorted()).toEqual(changed);
    });
  });
});

function dockerDocument(model: StackModel): DockerDocument {
  const outcome = compileForDocker(model);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.problems));
  return outcome.value;
}

/** What exists, by name; a container has another id after its replacement. */
const stateOf = ({ containers, volumes }: SimulatedEngine): Map<string, string> =>
  new Map([
    ...containers.map(({ part, id }): [string, string] => [`container ${part}`, id]),
    ...volumes
      .filter(({ kept }) => kept === null)
      .map(({ name }): [string, string] => [
        `volume ${name.slice(onEngine(onSimulatedEngine, '').length)}`,
        '',
      ]),
  ]);

type Resources = Readonly<Record<string, object>>;

/** A cloud that compares templates changes the resources whose text differs. */
function textDiffers(before: Resources, after: Resources, isSame = isDeepStrictEqual): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.filter((name) => !isSame(before[name], after[name])).toSorted();
}

interface TemplateVendor {
  resources: (document: never) => Resources;
  preview: (before: never, after: never) => Promise<PlannedChange[]> | PlannedChange[];
  compile: (model: StackModel, stackId: string) => Outcome<unknown>;
  /** What the cloud compares. */
  shown: (resource: Readonly<Record<string, unknown>>) => unknown;
}

const alicloud: TemplateVendor = {
  compile: compileForAlicloud,
  preview: previewAlicloud,
  resources: ({ template }: { template: { Resources: Resources } }) => template.Resources,
  shown: ({ Type, Properties }) => ({ Type, Properties }),
};

const aws: TemplateVendor = {
  compile: compileForAws,
  preview: previewAws,
  resources: ({ template }: { template: { Resources: Resources } }) => template.Resources,
  // The order of work, and what has no effect on a resource that exists.
  shown: (resource) =>
    Object.fromEntries(
      Object.entries(resource).filter(
        ([name]) => !['DependsOn', 'Metadata', 'CreationPolicy'].includes(name),
      ),
    ),
};

const openStack = (dialect: 'openstack' | 'k5'): TemplateVendor => ({
  compile: compileForOpenStack(dialect),
  preview: previewOpenStack,
  resources: ({ template }: { template: { resources: Resources } }) => template.resources,
  shown: ({ type, properties, metadata }) => ({ type, properties, metadata }),
});

const templateVendors: [string, TemplateVendor][] = [
  ['aws', aws],
  ['alicloud', alicloud],
  ['openstack', openStack('openstack')],
  ['k5', openStack('k5')],
];

describe.each(templateVendors)('on %s', (_, { compile, preview, resources, shown }) => {
  const shownIn = (document: never): Resources =>
    Object.fromEntries(
      Object.entries(resources(document)).map(([name, resource]) => [
        name,
        shown(resource as Record<string, unknown>) as object,
      ]),
    );

  it('the preview lists every resource whose template differs, and besides only what refers to a replaced or changed one', async () => {
    let compared = 0;
    await forRandomPairs(async (before, after) => {
      const documents = [before, after].map((model) => compile(model, 'mo-5447826c870e7-preview-tk'));
      // A pair that the cloud does not support is refused before any preview.
      const [one, other] = documents.map((outcome) => (outcome.ok ? (outcome.value as never) : null));
      if (!one || !other) return;
      compared += 1;
      const changes = await preview(one, other);
      const differing = textDiffers(shownIn(one), shownIn(other));
      expect(named(changes)).toEqual(expect.arrayContaining(differing));
      const further = changes.filter(({ resource }) => !differing.includes(resource));
      for (const { resource, members } of further) {
        const text = JSON.stringify(resources(other)[resource]);
        expect(members).not.toEqual([]);
        expect(named(changes).some((name) => name !== resource && text.includes(`"${name}"`))).toBe(true);
      }
    });
    expect(compared).toBeGreaterThan(20);
  });
});
