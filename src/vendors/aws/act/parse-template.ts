import { isAlias, isMap, isScalar, isSeq, type Node, parseDocument, type Scalar } from 'yaml';
import { isObject } from '../../../basics/is-object.ts';
import type { Json, Template } from '../document.ts';
import { Refusal } from '../errors.ts';

/** Someone gave the CloudFormation stack a template that we cannot read. */
const unreadable = (reason: string): Refusal =>
  new Refusal(
    `The template of the CloudFormation stack was changed outside Almanac and cannot be read: ${reason}. So nothing was changed or deleted. ` +
      'Update the stack with its current document, which replaces that template, and then repeat the request.',
  );

/** Reads a template as CloudFormation returns it. Ours are JSON; people also write YAML, with tags such as `!Ref`. */
export function parseTemplate(text: string): Template {
  const template = parseJson(text) ?? parseYaml(text);
  if (!isObject(template) || !isObject(template['Resources'])) throw unreadable('it has no resources');
  if (!Object.values(template['Resources']).every(isObject))
    throw unreadable('it creates resources in loops');
  return template as unknown as Template;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function parseYaml(text: string): Json {
  const { errors, contents } = parseDocument(text, { logLevel: 'silent' });
  if (errors[0]) throw unreadable(errors[0].message.split('\n')[0] ?? '');
  return toJson(contents);
}

function toJson(node: unknown): Json {
  const value = plainValue(node);
  const tag = /^!(\w+)$/.exec((node as Node | null)?.tag ?? '')?.[1];
  return tag ? callOf(tag, value) : value;
}

function plainValue(node: unknown): Json {
  if (isMap(node)) return Object.fromEntries(node.items.map(({ key, value }) => [keyOf(key), toJson(value)]));
  if (isSeq(node)) return node.items.map(toJson);
  // CloudFormation does not accept them either.
  if (isAlias(node)) throw unreadable('it has aliases');
  return isScalar(node) ? scalarValue(node) : null;
}

const keyOf = (node: unknown): string => {
  const key = toJson(node);
  return typeof key === 'string' ? key : JSON.stringify(key);
};

/** A number that would change, such as an AWS account with leading zeros, stays text, which CloudFormation accepts too. */
function scalarValue({ value, source = '' }: Scalar): Json {
  return typeof value === 'number' && String(value) !== source ? source : (value as Json);
}

/** The long form of a short call: `!GetAtt A.B` is `{"Fn::GetAtt": ["A", "B"]}`. */
function callOf(name: string, value: Json): Json {
  if (name === 'Ref' || name === 'Condition') return { [name]: value };
  if (name !== 'GetAtt' || typeof value !== 'string') return { [`Fn::${name}`]: value };
  const [id = '', ...attribute] = value.split('.');
  return { 'Fn::GetAtt': [id, attribute.join('.')] };
}
