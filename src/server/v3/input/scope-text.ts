/** In a JSON body a scope may be an object; it is stored and measured as text in both cases. */
export const scopeText = (scope: unknown): string =>
  typeof scope === 'string' ? scope : JSON.stringify(scope);
