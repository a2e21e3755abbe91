import type { Context } from '../../command.ts';
import { fullName, type ImageReference, parseImage } from '../../registry/image.ts';
import { Registry } from '../../registry/registry.ts';
import { RegistryUser } from '../../registry/registry-user.ts';
import { TokenService } from '../../registry/token-service.ts';

export const catalogScope = 'registry:catalog:*';

/** `--scope`, or the scope that the command needs. */
export const scopeFor = ({ args }: Context, needed: string): string => args.text('scope') || needed;

export const registryFor = (context: Context, user: RegistryUser, neededScope: string): Registry =>
  new Registry(context, new TokenService(context, user), scopeFor(context, neededScope));

/** The image that `--image` names, and the registry opened for these actions on it. */
export async function openImage(
  context: Context,
  actions: string,
): Promise<{ image: ImageReference; name: string; registry: Registry }> {
  const { args, settings } = context;
  const user = new RegistryUser(context);
  const image = parseImage(args.required('image'), settings.registry_url);
  const name = await fullName(image, () => user.username());
  return { image, name, registry: registryFor(context, user, `repository:${name}:${actions}`) };
}
