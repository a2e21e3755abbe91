/**
 * How alm writes YAML. YAML 1.1 parsers read more strings as dates and booleans: quote for them too. Long texts are not folded, so
 * that each value is on one line and can be searched.
 */
export const yamlOptions = { version: '1.1', lineWidth: 0 } as const;
