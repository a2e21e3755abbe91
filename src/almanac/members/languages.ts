import { isObject } from '../../basics/is-object.ts';
import type { Outcome } from '../../basics/problem.ts';
import { compileConfiguration } from '../../languages/v2-configuration/compile.ts';
import { mergeChanges, storedForm } from '../../languages/v2-configuration/document.ts';
import { configuration, server } from '../../languages/v2-configuration/schema.ts';
import { compileTemplate } from '../../languages/v3-template/compile.ts';
import { template } from '../../languages/v3-template/schema.ts';
import type { StackModel } from '../../model/stack-model.ts';
import { type Choices, nothingChosen } from '../../vendors/aws/choices.ts';
import { siblingsOf } from '../../vendors/aws/choose/sibling-types.ts';
import { compile } from '../../vendors/aws/compile.ts';
import type { Template } from '../../vendors/aws/document.ts';
import { openQuestions } from '../../vendors/aws/layout/open-questions.ts';
import type { SchemaPart } from './schema-members.ts';
import type { Document } from './variants.ts';

const region = 'us-east-1';

/** What AWS could have answered; the same for every document. */
function choicesFor(model: StackModel): Choices {
  const { imagesOf, spotTypes, domains, types } = openQuestions(model);
  return {
    ...nothingChosen,
    zones: ['a', 'b', 'c'].map((letter) => `${region}${letter}`),
    images: Object.fromEntries(
      imagesOf.map(({ flag }) => [flag, { id: 'ami-00000000000000001', architecture: 'x86_64' as const }]),
    ),
    architectures: Object.fromEntries(types.map((type) => [type, 'x86_64' as const])),
    siblings: Object.fromEntries(spotTypes.map((type) => [type, siblingsOf(type)])),
    certificates: Object.fromEntries(domains.map((domain) => [domain, `certificate of ${domain}`])),
  };
}

function templateOf(compiled: Outcome<{ model: StackModel }>): Template | null {
  if (!compiled.ok) return null;
  const { model } = compiled.value;
  const choices = choicesFor(model);
  const input = { model, stackId: 'mo-stack', choices, baseUrl: 'https://almanac.example.com' };
  const document = compile(input);
  return document.ok ? document.value.template : null;
}

/** A language of documents, as this page needs it. */
export interface Language {
  schema: SchemaPart;
  /** Null: the document has problems. */
  compile: (document: Document) => Template | null;
}

export const v3: Language = {
  schema: template as SchemaPart,
  compile: (document) => templateOf(compileTemplate(document, region)),
};

/** A document with both parts of a stack: its configuration, and the settings of its servers. */
export const v2: Language = {
  schema: {
    type: 'object',
    properties: { configurations: configuration, server } as SchemaPart['properties'] & {},
  },
  compile: ({ configurations, server: settings }) => {
    if (!isObject(configurations)) return null;
    const given = storedForm(configurations);
    const changes = { configuration: given, server: { environmentVariables: [], ...(settings as object) } };
    return templateOf(compileConfiguration(mergeChanges(null, changes), region));
  },
};
