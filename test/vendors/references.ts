type Node = Readonly<Record<string, unknown>>;

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

const firstOf = (value: unknown): string =>
  typeof value === 'string' ? (value.split('.')[0] ?? '') : String((value as unknown[])[0]);

/** How each language of templates names another resource or a parameter. */
const referenceMembers: Readonly<Record<string, (value: unknown) => string[]>> = {
  Ref: (value) => [String(value)],
  'Fn::GetAtt': (value) => [firstOf(value)],
  DependsOn: (value) => [value].flat() as string[],
  get_resource: (value) => [String(value)],
  get_param: (value) => [firstOf([value].flat())],
  get_attr: (value) => [firstOf(value)],
  depends_on: (value) => [value].flat() as string[],
  dependsOn: (value) => [value].flat() as string[],
};

const isPseudo = (name: string): boolean => /^(?:AWS|ALIYUN|OS)::/.test(name);

const referencesIn = (value: unknown): string[] => {
  if (!isNode(value)) return [];
  const own = Object.entries(value).flatMap(([name, member]) => referenceMembers[name]?.(member) ?? []);
  return [...own, ...Object.values(value).flatMap(referencesIn)];
};

const namesIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.map(({ name }: { name: string }) => name) : Object.keys(value ?? {});

const sections = ['Resources', 'Parameters', 'resources', 'parameters'];

/** Names in a vendor's document that refer to nothing in it. */
export function unresolvedIn(document: unknown): string[] {
  if (!isNode(document)) return [];
  const template = isNode(document['template']) ? document['template'] : document;
  const known = new Set(sections.flatMap((section) => namesIn(template[section])));
  return referencesIn(template).filter((name) => !known.has(name) && !isPseudo(name));
}
