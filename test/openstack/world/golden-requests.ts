import { readdirSync, readFileSync } from 'node:fs';
import { Value } from 'typebox/value';
import { type StackModel, stackModel } from '../../../src/model/stack-model.ts';
import type { DialectName } from '../../../src/vendors/openstack/dialect.ts';
import type { OpenStackDocument } from '../../../src/vendors/openstack/document.ts';
import { compileForOpenStack } from '../../vendors/golden/openstack.ts';

const golden = new URL('../../vendors/golden/', import.meta.url);

export const goldenNames = readdirSync(golden)
  .filter((file) => file.endsWith('.model.json'))
  .map((file) => file.replace('.model.json', ''));

const readModel = (name: string): StackModel =>
  Value.Parse(stackModel, JSON.parse(readFileSync(new URL(`${name}.model.json`, golden), 'utf8')));

/** What the golden cloud has, and the rig has under other names. */
const onRig = (text: string): string =>
  text
    .replaceAll(/id-of-ami-\w+/g, 'cirros')
    .replaceAll('id-of-', '')
    .replaceAll(/"[a-z]{2}-[a-z]+-\d[\w-]*"/g, '"nova"')
    .replaceAll('"datastore_version":"5.7"', '"datastore_version":"8.0"');

const publicKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIEhNa5T9ikmikBJF7vD2wuc2nCjAWfdLHNODKm55Gybq example';

export interface HeatRequest {
  template: unknown;
  files: Record<string, string>;
  environment: { parameters: Record<string, string> };
}

/** The body of a request to Heat for a document. */
export function requestFor(document: OpenStackDocument): HeatRequest {
  const { template, files } = JSON.parse(onRig(JSON.stringify(document))) as OpenStackDocument;
  const parameters = Object.keys(template.parameters).map((parameter) => [
    parameter,
    parameter.startsWith('public_key') ? publicKey : 'Secret123456',
  ]);
  return {
    template,
    files: Object.fromEntries(Object.entries(files).map(([file, text]) => [file, JSON.stringify(text)])),
    environment: { parameters: Object.fromEntries(parameters) as Record<string, string> },
  };
}

export function goldenRequest(name: string, dialect: DialectName): HeatRequest {
  const outcome = compileForOpenStack(dialect)(readModel(name), 'mo-5447826c870e7-golden000-tk');
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.problems));
  return requestFor(outcome.value);
}

/** The rig has no key manager, so its load balancers cannot decrypt. */
export const withoutKeyManager = (request: HeatRequest): HeatRequest =>
  JSON.parse(
    JSON.stringify(request)
      .replaceAll('"TERMINATED_HTTPS"', '"HTTP"')
      .replaceAll(/,"default_tls_container_ref":"[^"]*"/g, ''),
  ) as HeatRequest;
