/**
 * Moves every schema that has an `$id` into one place and leaves a reference, so a document says each
 * thing once. What comes out is plain JSON: none of the schema library's own marks are left in it.
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
      schemas[id] = null; // Holds the place, so a schema that mentions itself ends here.
      schemas[id] = collect(schema);
    }
    return { $ref: `#/components/schemas/${id}` };
  };

  return { collect, schemas };
};
