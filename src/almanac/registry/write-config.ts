import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Config } from '../../basics/config.ts';
import { replaceFile } from '../../basics/replace-file.ts';
import { httpSecret } from '../../operations/registry/keys/http-secret.ts';
import { bundleOf, readKeys, registrySecrets } from '../../operations/registry/keys/signing-keys.ts';
import type { Service } from '../../operations/service.ts';
import { type RegistryFile, registryFile } from './config-file.ts';
import { type RegistryVerb, withService } from './verb.ts';

/** Where the files of a registry are, unless options say otherwise. */
export interface RegistryPlaces {
  storage: string;
  bundle: string;
  address: string;
}

export const defaultPlaces = ({ dataDirectory, registry }: Config): RegistryPlaces => ({
  storage: join(dataDirectory, 'registry', 'storage'),
  bundle: join(dataDirectory, 'registry', 'bundle.pem'),
  address: `127.0.0.1:${(registry.url && new URL(registry.url).port) || '5000'}`,
});

async function contentOf(service: Service, places: RegistryPlaces): Promise<RegistryFile> {
  const [notificationSecret] = await registrySecrets(service, 'notifications');
  const { settings } = service;
  const { service: name, issuer } = settings.registry;
  return {
    ...places,
    service: name,
    issuer,
    almanacUrl: settings.baseUrl,
    httpSecret: await httpSecret(service),
    notificationSecret,
  };
}

/** Writes the certificates of all keys, and returns the text of the configuration. */
export async function prepareRegistry(service: Service, places: RegistryPlaces): Promise<string> {
  replaceFile(places.bundle, bundleOf(await readKeys(service)), 0o644);
  return registryFile(await contentOf(service, places));
}

const text = { type: 'string' } as const;
const options = { storage: text, bundle: text, addr: text, file: text } as const;

async function writeConfig(config: Config, args: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...args], options });
  const defaults = defaultPlaces(config);
  const places = {
    storage: resolve(values.storage ?? defaults.storage),
    bundle: resolve(values.bundle ?? defaults.bundle),
    address: values.addr ?? defaults.address,
  };
  await withService(config, async (service) => {
    const content = await prepareRegistry(service, places);
    process.stderr.write(`Certificates: ${places.bundle}\n`);
    if (values.file === undefined) return void process.stdout.write(content);
    replaceFile(resolve(values.file), content, 0o600);
    process.stderr.write(`Configuration: ${resolve(values.file)}\n`);
  });
}

export const config: RegistryVerb = {
  help: `  almanac registry config [--file <file>] [--storage <directory>] [--bundle <file>] [--addr <host:port>]
                                print the configuration of a registry (or write it to a file), and write the certificates of the
                                keys that sign its tokens to the bundle`,
  run: writeConfig,
};
