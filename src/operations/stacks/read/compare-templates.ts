import { at } from '../../../basics/problem.ts';
import type { Difference } from '../../../model/difference.ts';
import type { Actor } from '../../access/access.ts';
import { detectFormat } from '../../documents/read-template.ts';
import type { Service } from '../../service.ts';
import { readVersion, type StoredTemplate } from './read-versions.ts';

type Template = Readonly<Record<string, unknown>>;

export interface Comparison {
  source: StoredTemplate;
  /** A stored template, or the text of one. */
  target: StoredTemplate | { text: string };
}

type Source = Awaited<ReturnType<typeof readVersion>>;

export interface Compared {
  source: Template;
  target: Template;
  difference: Difference;
}

/** Path of the text in the request body, to which its problems are relative. */
const textPath = at('body', 0);

interface Target {
  document: Template;
  size: number;
}

/** Reads the template from text. It must be valid, and its secrets are removed before it is compared. */
async function readText(
  { documents }: Service,
  text: string,
  { stack: { account_id: caller, region }, document: source }: Source,
): Promise<Target> {
  const size = text.length;
  const input = { body: { text, format: detectFormat(text) }, region, path: textPath };
  const compiled = await documents.run('comparedTemplate', { input, size, caller });
  const document: Template = { ...compiled.document };
  // An update may omit the vendor, and the stack stays where it is.
  const isPlaced = 'vendor' in document || !('vendor' in source);
  return { document: isPlaced ? document : { vendor: source['vendor'], ...document }, size };
}

async function readStored(service: Service, actor: Actor, target: StoredTemplate): Promise<Target> {
  const { document, version } = await readVersion(service, actor, target);
  return { document, size: version.size };
}

export async function compareTemplates(
  service: Service,
  actor: Actor,
  { source, target }: Comparison,
): Promise<Compared> {
  const before = await readVersion(service, actor, source);
  const after =
    'text' in target
      ? await readText(service, target.text, before)
      : await readStored(service, actor, target);
  const difference = await service.documents.run('differ', {
    input: { before: before.document, after: after.document },
    size: before.version.size + after.size,
    caller: actor.accountId,
  });
  return { source: before.document, target: after.document, difference };
}
