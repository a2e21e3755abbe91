/**
 * Moves every schema that has an `$id` into one map and leaves a `$ref`, so each schema appears once in the
 * document. The result is plain JSON without the internal members of the schema library.
 */
export const schemaCollector = () => {
  const schemas: Record<string, unknown> = {};

  const collect = (node: object): object =>
    Object.fromEntries(Object.entries(node).map(([name, value]) => [name, visit(value)]));

  const visit = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(visit);
    if (typeof node !== 'object' || node === null) return node;
    if (!('$id' in node) || typeof node.$id !== 'string') return collect(node);
    const { $id: id, ...schema } = node;
    if (!(id in schemas)) {
      schemas[id] = null; // Placeholder: stops the recursion of a schema that references itself.
      schemas[id] = collect(schema);
    }
    return { $ref: `#/components/schemas/${id}` };
  };

  return { collect, schemas };
};
