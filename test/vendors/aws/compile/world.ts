import type { Problem } from '../../../../src/basics/problem.ts';
import type { Layer, StackModel } from '../../../../src/model/stack-model.ts';
import type { Choices } from '../../../../src/vendors/aws/choices.ts';
import { compile } from '../../../../src/vendors/aws/compile.ts';
import type {
  AwsDocument,
  Properties,
  Template,
  TemplateResource,
} from '../../../../src/vendors/aws/document.ts';
import { goldenChoices, spreadForNew } from '../../golden/aws.ts';
import { sampleLayer, sampleModel } from '../../sample-model.ts';

const stackId = 'mo-1';

export interface CompileOptions {
  baseUrl?: string;
  choices?: Partial<Choices>;
}

const outcomeOf = (
  model: StackModel,
  { baseUrl = 'https://almanac.example.com', choices = {} }: CompileOptions,
) => {
  const zones = choices.zones ?? ['a', 'b', 'c'].map((letter) => `${model.region}${letter}`);
  const spread = spreadForNew(model, zones);
  return compile({
    model,
    stackId,
    baseUrl,
    choices: { ...goldenChoices(model), zones, spread, ...choices },
  });
};

export function documentOf(model: StackModel, options: CompileOptions = {}): AwsDocument {
  const outcome = outcomeOf(model, options);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.problems));
  return outcome.value;
}

export const templateOf = (model: StackModel, options: CompileOptions = {}): Template =>
  documentOf(model, options).template;

export const problemsOf = (model: StackModel, options: CompileOptions = {}): readonly Problem[] => {
  const outcome = outcomeOf(model, options);
  return outcome.ok ? [] : outcome.problems;
};

/** The resource with that logical id; an empty one if there is none. */
export const resourceIn = ({ Resources }: Template, id: string): TemplateResource =>
  Resources[id] ?? { Type: 'none' };

export const propertiesIn = (template: Template, id: string): Properties =>
  resourceIn(template, id).Properties ?? {};

export const idsOfType = ({ Resources }: Template, type: string): string[] =>
  Object.entries(Resources)
    .filter(([, resource]) => resource.Type === type)
    .map(([id]) => id);

/** Similar layers, each with a separate subnet. */
export const layersIn = (...changes: Partial<Layer>[]): StackModel =>
  sampleModel({
    layers: changes.map((change, index) =>
      sampleLayer({
        flag: `Layer${index}`,
        subnet: { cidr: `10.0.${index}.0/24`, public: true, assignPublicIp: true },
        ...change,
      }),
    ),
  });

export const privateSubnet = (cidr: string): Layer['subnet'] => ({
  cidr,
  public: false,
  assignPublicIp: false,
});

export const sampleContainer = (
  changes: Partial<NonNullable<Layer['container']>> = {},
): NonNullable<Layer['container']> => ({
  image: 'library/httpd',
  registryUsername: null,
  registryPasswordSecret: null,
  codeDirectory: null,
  codeSource: 'git',
  gitRepository: null,
  gitReference: 'master',
  gitPrivateKeySecret: null,
  ports: [80],
  environment: {},
  users: [],
  addons: [],
  storage: null,
  ...changes,
});
