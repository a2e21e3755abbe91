import { at, type Outcome, type Problem } from '../../../basics/problem.ts';
import { compileTemplate } from '../../../languages/v3-template/compile.ts';
import { parseTemplate } from '../../../languages/v3-template/parse.ts';
import type { Difference } from '../../../model/difference.ts';
import type { Actor } from '../../access/access.ts';
import type { Service } from '../../service.ts';
import { detectFormat } from '../submit/read-template.ts';
import { refuseDocument } from '../submit/refuse-document.ts';
import { readVersion, type StoredTemplate } from './read-versions.ts';
import { templateDifference } from './template-difference.ts';

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

const accept = <T>(outcome: Outcome<T>): T => {
  if (outcome.ok) return outcome.value;
  const problems = outcome.problems.map(
    ({ path, message }): Problem => ({ path: at(textPath, path), message }),
  );
  return refuseDocument(problems);
};

/** Reads the template from text. It must be valid, and its secrets are removed before it is compared. */
function readText(text: string, { stack, document: source }: Source): Template {
  const template = accept(parseTemplate(text, detectFormat(text)));
  const document: Template = { ...accept(compileTemplate(template, stack.region)).document };
  // An update may omit the vendor, and the stack stays where it is.
  return 'vendor' in document || !('vendor' in source) ? document : { vendor: source['vendor'], ...document };
}

export async function compareTemplates(
  service: Service,
  actor: Actor,
  { source, target }: Comparison,
): Promise<Compared> {
  const before = await readVersion(service, actor, source);
  const after =
    'text' in target ? readText(target.text, before) : (await readVersion(service, actor, target)).document;
  return { source: before.document, target: after, difference: templateDifference(before.document, after) };
}
