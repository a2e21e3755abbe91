import { withoutSecrets } from '../../basics/text/redact.ts';
import type { Layer, StackModel } from '../../model/stack-model.ts';

/** What would be redacted in a log does not belong in a template either. */
const looksSecret = (name: string, value: string): boolean => {
  const text = `${name}=${value}`;
  return withoutSecrets(text) !== text;
};

const secretFor = (variable: string): string => variable.toLowerCase().replaceAll('_', '-');

const warning = (flag: string, variable: string): string => {
  const secret = secretFor(variable);
  return (
    `Layer ${flag}: ${variable} in container_env_vars looks like a secret, and everybody who may see the template can read it. ` +
    `Run "alm secret set ${secret}", and write container_secrets: { ${variable}: ${secret} } instead.`
  );
};

const ofLayer = ({ flag, container }: Layer): string[] =>
  Object.entries(container?.environment ?? {})
    .filter(([name, value]) => looksSecret(name, value))
    .map(([name]) => warning(flag, name));

/** Enough to understand, if a template has hundreds. */
const maxWarnings = 20;

/** Sentences about variables of a template that should be secrets. They never contain the value. */
export const openSecretWarnings = ({ layers }: StackModel): string[] =>
  layers.flatMap(ofLayer).slice(0, maxWarnings);
