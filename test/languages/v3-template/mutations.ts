/** A change of one member of a document; `name` renames it. */
export interface Mutation {
  position: number;
  value: unknown;
  name: string | null;
}

/** Returns the document with one member changed. */
export const mutate = (document: unknown, { position, value, name }: Mutation): unknown => {
  const places: { owner: object; key: string }[] = [];
  const collect = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    for (const [key, member] of Object.entries(node)) {
      places.push({ owner: node, key });
      collect(member);
    }
  };
  const copy: unknown = structuredClone(document);
  collect(copy);
  const place = places[position % places.length];
  if (!place) return value;
  const key = name === null || Array.isArray(place.owner) ? place.key : name;
  Object.defineProperty(place.owner, key, { value, enumerable: true, writable: true, configurable: true });
  return copy;
};
