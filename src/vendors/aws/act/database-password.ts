import { Secret } from '../../../basics/secret.ts';
import { type StackOnVendor, Unreachable } from '../../vendor.ts';
import { ignoreError, observeAws } from '../errors.ts';
import { databaseSecretOutput } from '../names.ts';
import type { CloudStack } from '../observe/list-stacks.ts';
import { findCloudStack, type Region } from '../region.ts';

/** The output with the address of the first database. For further databases the key ends with the name. */
const addressOutput = 'DBAddress';

/** Reads the password of the first database, whose address is the output `DBAddress`. */
export async function readDatabasePassword(
  region: Region,
  { id }: StackOnVendor,
): Promise<Secret | undefined> {
  const { value: stack } = await findCloudStack(region, id);
  const secret = stack && secretOfFirst(stack);
  if (!secret) return undefined;
  const secretsManager = await region.clients.secretsManager();
  const response = await observeAws(() =>
    ignoreError({ name: /^ResourceNotFoundException$/ }, () =>
      secretsManager.getSecretValue({ SecretId: secret }),
    ),
  );
  return passwordIn(response?.SecretString);
}

/** AWS does not keep the order of outputs, so the first database is the one without an address output under its own name. */
function secretOfFirst({ outputs }: CloudStack): string | undefined {
  const prefix = databaseSecretOutput('');
  const secrets = [...outputs.keys()].filter((key) => key.startsWith(prefix)).toSorted();
  const first = secrets.find((key) => !outputs.has(`${addressOutput}${key.slice(prefix.length)}`));
  return outputs.get(first ?? '')?.value;
}

function readPassword(text: string): Secret | undefined {
  try {
    const { password } = JSON.parse(text) as { password?: string };
    return password ? new Secret(password) : undefined;
  } catch {
    // Without the cause: its message quotes the secret.
    throw new Unreachable('The secret of the database in AWS Secrets Manager is not JSON.');
  }
}

/** The secret is a JSON object with user name and password. While it is being created, it may be empty. */
function passwordIn(text: string | undefined): Secret | undefined {
  if (!text) return undefined;
  return readPassword(text);
}
