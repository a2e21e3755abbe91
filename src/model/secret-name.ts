/** How a container gets a secret: as an environment variable, or as a file below `secretsDirectory`. */
export const secretForms = ['variable', 'file'] as const;

export const secretsDirectory = '/run/secrets';

/** For schemas; the same as in `isSecretName`. */
export const secretNamePattern = '^[A-Za-z_][A-Za-z0-9_.-]*$';
export const maxSecretName = 128;

export const isSecretName = (text: string): boolean =>
  text.length <= maxSecretName && /^[A-Za-z_][A-Za-z0-9_.-]*$/.test(text);
