import { CliError, usageError } from '../cli-error.ts';
import type { Context, Run } from '../command.ts';
import { fullName, readImage, shownImage, type WrittenImage } from '../registry/image.ts';
import { Registry } from '../registry/registry.ts';
import { tagsOfContent } from '../registry/same-content.ts';
import { TokenService } from '../registry/token-service.ts';
import { Visitor } from '../registry/visitor.ts';
import { stripControls } from '../view/colour.ts';

const catalogScope = 'registry:catalog:*';

const scopeOf = ({ args }: Context, needed: string): string => args.text('scope') || needed;

function registryFor(context: Context, visitor: Visitor, neededScope: string): Registry {
  return new Registry(context, new TokenService(context, visitor), scopeOf(context, neededScope));
}

/** The image the command is about, and the registry for what is done with it. */
async function find(
  context: Context,
  actions: string,
): Promise<{ written: WrittenImage; name: string; registry: Registry }> {
  const { args, settings } = context;
  const visitor = new Visitor(context);
  const written = readImage(args.required('image'), settings.registry_url);
  const name = await fullName(written, () => visitor.username());
  return { written, name, registry: registryFor(context, visitor, `repository:${name}:${actions}`) };
}

/** Those of the user, as existing clients have it, unless another scope was asked for or nobody is known. */
export const showCatalog: Run = async (context) => {
  const { args, out } = context;
  const visitor = new Visitor(context);
  const all = await registryFor(context, visitor, catalogScope).list('/v2/_catalog', 'repositories');
  const user = await visitor.knownName();
  const isWhole = args.has('scope') || user === undefined;
  const shown = isWhole ? all : all.filter((name) => name.startsWith(`${user}/`));
  const whose = user === undefined ? '' : ` for user: ${user}`;
  if (out.format !== 'table') await out.document(JSON.stringify({ repositories: shown }));
  else if (shown.length > 0) {
    out.info(`Catalog list${whose}`);
    out.data(shown.map((name) => `${stripControls(name)}\n`).join(''));
  } else out.info(`Catalog list${whose} is empty.`);
  const others = all.length - shown.length;
  if (others > 0)
    out.info(`Images of others that are not shown: ${others}; with them: --scope ${catalogScope}`);
};

export const showTags: Run = async (context) => {
  const { name, registry } = await find(context, 'pull');
  const tags = await registry.list(`/v2/${name}/tags/list`, 'tags', { name });
  if (tags.length === 0) context.out.info(`${name} has no tags.`);
  await context.out.document(JSON.stringify({ name, tags }), () => ({
    header: ['IMAGE', 'TAG'],
    rows: tags.map((tag) => [name, tag]),
  }));
};

/** Byte for byte, so that its digest can be made from it. A person's terminal gets the end of the line as well. */
export const showManifest: Run = async (context) => {
  const { out, system, args } = context;
  const { written, name, registry } = await find(context, 'pull');
  const reference = written.reference ?? 'latest';
  const { text, headers } = await registry.manifest(name, reference, shownImage(name, reference));
  const digest = headers['docker-content-digest'];
  if (typeof digest === 'string') out.info(`digest: ${digest}`);
  const isForPeople = system.stdoutIsTty && !args.has('out');
  if (out.format === 'raw' && !isForPeople) out.data(text);
  else await out.document(text);
};

function refuseOthers(shown: string, others: readonly string[]): never {
  const [one] = others;
  const their = others.length === 1 ? `the tag ${one}` : `the tags ${others.join(', ')}`;
  throw new CliError('conflict', `${shown} has the same content as ${their}, which would go with it.`, {
    lines: ['A registry deletes content, and every tag that stands for it. Nothing was deleted.'],
    hints: [`Delete all of them: alm registry delete --image ${shown} --force`],
  });
}

export const deleteImage: Run = async (context) => {
  const { args, out } = context;
  const { written, name, registry } = await find(context, '*');
  const { reference } = written;
  if (reference === undefined)
    throw usageError(`Which tag of ${name} is to be deleted?`, `Such as: --image ${name}:latest`);
  const shown = shownImage(name, reference);
  const digest = await registry.digest(name, reference, shown);
  const tags = await tagsOfContent(registry, name, digest);
  const others = tags.filter((tag) => tag !== reference);
  if (others.length > 0 && !args.is('force')) refuseOthers(shown, others);
  if (others.length > 0) out.warn(`These tags have the same content and go too: ${others.join(', ')}`);
  await registry.delete(name, digest, shown);
  await out.document(JSON.stringify({ status: 'success', image: shown, digest, tags }));
};

const shownTime = (seconds: number): string =>
  seconds < 120 ? `${seconds} seconds` : `${Math.floor(seconds / 60)} minutes`;

/** The token alone on standard output: TOKEN=$(alm registry token). */
export const showToken: Run = async (context) => {
  const { out } = context;
  const scope = scopeOf(context, catalogScope);
  const { token, seconds, text } = await new TokenService(context, new Visitor(context)).token(scope);
  out.keepPrivate();
  if (out.format === 'table') out.data(`${token}\n`);
  else await out.document(text);
  out.info(`It is good for ${shownTime(seconds)} and for: ${scope}`);
};
