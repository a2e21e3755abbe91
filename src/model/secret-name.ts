/** How a container gets a secret: as an environment variable, or as a file below `secretsDirectory`. */
export const secretForms = ['variable', 'file'] as const;
export type SecretForm = (typeof secretForms)[number];

export const secretsDirectory = '/run/secrets';

export const secretNamePattern = '^[A-Za-z_][A-Za-z0-9_.-]*$';
export const maxSecretName = 128;

const pattern = new RegExp(secretNamePattern);

export const isSecretName = (text: string): boolean => text.length <= maxSecretName && pattern.test(text);
