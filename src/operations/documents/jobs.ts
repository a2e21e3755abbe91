import { at, type Outcome } from '../../basics/problem.ts';
import type { Compiled, Placement } from '../../languages/language.ts';
import type { Members } from '../../languages/plain-values.ts';
import { readMembers } from '../../languages/v2-configuration/patch.ts';
import {
  compileTemplate,
  readName,
  readPlacement,
  type WrittenName,
} from '../../languages/v3-template/compile.ts';
import { parseTemplate } from '../../languages/v3-template/parse.ts';
import type { Difference } from '../../model/difference.ts';
import { readTemplateBody, type TemplateText } from './read-template.ts';
import { refuseDocument } from './refuse-document.ts';
import { templateDifference } from './template-difference.ts';

/** Work on documents that callers send. Each job is a pure function, because it may run in another thread. */

export interface NewTemplate {
  placement: Placement;
  compiled: Compiled;
  name: WrittenName | null;
}

const accept = <T>(outcome: Outcome<T>, path = ''): T => {
  if (outcome.ok) return outcome.value;
  return refuseDocument(outcome.problems.map((problem) => ({ ...problem, path: at(path, problem.path) })));
};

/** Compiles a template for a new stack, or refuses it with all its problems. */
const newTemplate = (body: TemplateText): NewTemplate => {
  const template = readTemplateBody(body);
  const placement = readPlacement(template);
  const compiled = compileTemplate(template, placement.ok ? placement.value.region : 'unknown');
  if (!placement.ok || !compiled.ok)
    return refuseDocument([placement, compiled].flatMap((outcome) => (outcome.ok ? [] : outcome.problems)));
  return { placement: placement.value, compiled: compiled.value, name: readName(template) };
};

/** Compiles a template for an existing stack. */
const changedTemplate = ({ body, region }: { body: TemplateText; region: string }): Compiled =>
  accept(compileTemplate(readTemplateBody(body), region));

/** Compiles a template that is only compared. `path`: where its text is in the request. */
const comparedTemplate = ({
  body: { text, format },
  region,
  path,
}: {
  body: TemplateText;
  region: string;
  path: string;
}): Compiled => accept(compileTemplate(accept(parseTemplate(text, format), path), region), path);

/** Parses a v2 configuration that was sent as text. */
const configurationMembers = (text: string): Members => accept(readMembers(text, 'configurations'));

const differ = ({ before, after }: { before: Members; after: Members }): Difference =>
  templateDifference(before, after);

export const jobs = { newTemplate, changedTemplate, comparedTemplate, configurationMembers, differ };

export type JobName = keyof typeof jobs;
export type JobInput<Name extends JobName> = Parameters<(typeof jobs)[Name]>[0];
export type JobResult<Name extends JobName> = ReturnType<(typeof jobs)[Name]>;
