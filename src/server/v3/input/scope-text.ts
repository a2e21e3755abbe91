/** In a JSON body a scope may be the object itself; it is kept, and measured, as text either way. */
export const scopeText = (scope: unknown): string =>
  typeof scope === 'string' ? scope : JSON.stringify(scope);
