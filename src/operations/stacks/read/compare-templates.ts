import { at, type Outcome, type Problem } from '../../../basics/problem.ts';
import { compileTemplate } from '../../../languages/v3-template/compile.ts';
import { parseTemplate } from '../../../languages/v3-template/parse.ts';
import type { Difference } from '../../../model/difference.ts';
import type { Actor } from '../../access/access.ts';
import type { Service } from '../../service.ts';
import { refuseDocument } from '../submit/refuse-document.ts';
import { readVersion, type StoredTemplate } from './read-versions.ts';
import { templateDifference } from './template-difference.ts';

type Template = Readonly<Record<string, unknown>>;

/** The second template: one that is kept, or the text of one that is not. */
export type ComparedTo = StoredTemplate | { text: string };

type Source = Awaited<ReturnType<typeof readVersion>>;

export interface Compared {
  source: Template;
  target: Template;
  difference: Difference;
}

/** Where a given text stands in the request, so that its problems are found there. */
const givenAt = at('body', 0);

const accept = <T>(outcome: Outcome<T>): T => {
  if (outcome.ok) return outcome.value;
  const problems = outcome.problems.map(
    ({ path, message }): Problem => ({ path: at(givenAt, path), message }),
  );
  return refuseDocument(problems);
};

/** Only what could be applied is compared, and only after every secret was taken out of it. */
function readGiven(text: string, { stack, document: source }: Source): Template {
  const template = accept(parseTemplate(text, /^\s*[{["]/.test(text) ? 'json' : 'yaml'));
  const given: Template = { ...accept(compileTemplate(template, stack.region)).document };
  // An update may leave the vendor out, and the stack stays where it is.
  return 'vendor' in given || !('vendor' in source) ? given : { vendor: source['vendor'], ...given };
}

export async function compareTemplates(
  service: Service,
  actor: Actor,
  source: StoredTemplate,
  target: ComparedTo,
): Promise<Compared> {
  const before = await readVersion(service, actor, source);
  const after =
    'text' in target ? readGiven(target.text, before) : (await readVersion(service, actor, target)).document;
  return { source: before.document, target: after, difference: templateDifference(before.document, after) };
}
