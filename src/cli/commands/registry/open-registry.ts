import { CliError } from '../../cli-error.ts';
import type { Context } from '../../command.ts';
import { requireAccepted } from '../../registry/helper-credentials.ts';
import { hostOf } from '../../registry/host.ts';
import { fullName, type ImageReference, parseImage } from '../../registry/image.ts';
import { asNamedUser, isGiven, namesUser } from '../../registry/named-user.ts';
import { Registry } from '../../registry/registry.ts';
import { RegistryUser } from '../../registry/registry-user.ts';
import { askServer, loginToken, type ServerRegistry } from '../../registry/server-registry.ts';
import { TokenService } from '../../registry/token-service.ts';
import { defaults } from '../../settings/settings.ts';

export const catalogScope = 'registry:catalog:*';

/** A registry that a command works with. */
export interface OpenRegistry {
  /** With the address of the registry in its settings. */
  context: Context;
  user: RegistryUser;
  /** Null: the service issues no registry tokens. */
  server: ServerRegistry | null;
  /** Whether it is the registry of the service. */
  isOwn: boolean;
  /** Whether the service answers for its registry. Otherwise the registry itself is asked. */
  usesService: boolean;
}

/** Whether a flag, the environment or the profile names the registry. */
export const isRegistryGiven = ({ args, system, settings }: Context): boolean =>
  args.has('rurl') ||
  Boolean(system.env['ALM_REGISTRY_URL']) ||
  settings.registry_url !== defaults.registry_url;

/** These flags are about tokens of the registry, so they are used as existing clients use them. */
const accessFlags = ['username', 'password', 'service', 'scope'];

const isOwnRegistry = (server: ServerRegistry | null, url: string): boolean =>
  Boolean(server?.url) && hostOf(server?.url ?? '') === hostOf(url);

function describeOpen(given: Context, server: ServerRegistry | null, token: string | null): OpenRegistry {
  const { registry_url } = given.settings;
  const url = isRegistryGiven(given) ? registry_url : (server?.url ?? registry_url);
  const context: Context = { ...given, settings: { ...given.settings, registry_url: url } };
  const isOwn = isOwnRegistry(server, url);
  return { context, user: new RegistryUser(context), server, isOwn, usesService: isOwn && token !== null };
}

/** The registry, with the login if there is one. Without an address of the registry, the service must answer: it knows the address. */
export async function openRegistry(given: Context): Promise<OpenRegistry> {
  const token = namesUser(given) ? null : await loginToken(given);
  const server = await askServer(given, { token, isRequired: !isRegistryGiven(given) });
  const found = describeOpen(given, server, token);
  return { ...found, usesService: found.usesService && !accessFlags.some((flag) => isGiven(given, flag)) };
}

/** The registry for calls of the service, which need a login: that of alm, or the user that the flags name. */
export async function openService(given: Context): Promise<OpenRegistry> {
  const context = await asNamedUser(given);
  const token = await context.tokens.token();
  return describeOpen(context, await askServer(context, { token, isRequired: true }), token);
}

/** `--scope`, or the scope that the command needs. */
export const scopeFor = ({ args }: Context, needed: string): string => args.text('scope') || needed;

export const registryFor = ({ context, user, server }: OpenRegistry, neededScope: string): Registry =>
  new Registry(context, new TokenService(context, user, server), scopeFor(context, neededScope));

const hasNoRegistry = ({ settings }: Context): CliError =>
  new CliError('refused', `The service at ${settings.api_url} has no container registry.`, {
    hints: ['Check that this is the address of Almanac: --url, ALM_URL'],
  });

export const isOtherRegistry = ({ context: { settings }, server }: OpenRegistry): CliError =>
  new CliError('refused', `${settings.registry_url} is not the registry of ${settings.api_url}.`, {
    lines: server?.url ? [`Its registry is ${server.url}.`] : [],
    hints: ['Only Almanac can do this, for its own registry.'],
  });

const noNamespace = (): CliError =>
  new CliError('usage', 'You have no namespace in the registry, so the name of the image needs one.', {
    hints: [
      'Use --image <namespace>/<name>',
      'API clients have none, nor users whose name has other characters than a-z, 0-9 and . _ - in between.',
    ],
  });

/** What the service says, else the user name, as existing clients do. */
async function namespaceIn({ context, user, server }: OpenRegistry): Promise<string> {
  if (server?.user?.namespace) return server.user.namespace;
  if (server === null || namesUser(context) || (await loginToken(context)) === null) return user.username();
  // An API client has a session without a user, and so has a token that is not valid.
  if (server.user === null) await requireAccepted(context);
  throw noNamespace();
}

/** The image that `--image` names, in the registry of the command. */
export async function openImage(
  given: Context,
  open = openRegistry,
): Promise<{ image: ImageReference; name: string; opened: OpenRegistry }> {
  const opened = await open(given);
  const { context } = opened;
  const image = parseImage(context.args.required('image'), context.settings.registry_url);
  const name = await fullName(image, () => namespaceIn(opened));
  return { image, name, opened };
}

/** The registry itself, opened for these actions on the image. */
export const registryOfImage = (opened: OpenRegistry, name: string, actions: string): Registry =>
  registryFor(opened, `repository:${name}:${actions}`);

/** The registry of the service, for what only the service knows. */
async function openOwnRegistry(given: Context): Promise<OpenRegistry> {
  const found = await openService(given);
  const { server, isOwn } = found;
  if (server === null) throw hasNoRegistry(given);
  // A service without a registry says so itself.
  if (!isOwn && isRegistryGiven(given)) throw isOtherRegistry(found);
  return found;
}

/** The image in the registry of the service. Any tag is left out. */
export async function openOwnImage(given: Context): Promise<{ context: Context; name: string }> {
  const { name, opened } = await openImage(given, openOwnRegistry);
  return { context: opened.context, name };
}
