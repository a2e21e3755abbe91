import { Secret } from '../../../basics/secret.ts';
import type { StackOnVendor } from '../../vendor.ts';
import { look } from '../errors.ts';
import { databaseSecretOutput } from '../names.ts';
import type { CloudStack } from '../observe/list-stacks.ts';
import { findCloudStack, type Region } from '../region.ts';
import { tolerate } from '../tolerate.ts';

/** How users find a database: plain for the first one, with its name behind for any other. */
const addressOutput = 'DBAddress';

/** The password of the first database, the one whose address users find as `DBAddress`. */
export async function readDatabasePassword(
  region: Region,
  { id }: StackOnVendor,
): Promise<Secret | undefined> {
  const { value: stack } = await findCloudStack(region, id);
  const secret = stack && secretOfFirst(stack);
  if (!secret) return undefined;
  const secretsManager = await region.clients.secretsManager();
  const told = await look(() =>
    tolerate({ name: /^ResourceNotFoundException$/ }, () =>
      secretsManager.getSecretValue({ SecretId: secret }),
    ),
  );
  return passwordIn(told?.SecretString);
}

/** AWS keeps no order among outputs, so the first database is the one that has no address under its own name. */
function secretOfFirst({ outputs }: CloudStack): string | undefined {
  const prefix = databaseSecretOutput('');
  const secrets = [...outputs.keys()].filter((key) => key.startsWith(prefix)).toSorted();
  const first = secrets.find((key) => !outputs.has(`${addressOutput}${key.slice(prefix.length)}`));
  return outputs.get(first ?? '')?.value;
}

/** It is a JSON object with the name of the user and the password; while it is being made there may be none. */
function passwordIn(text: string | undefined): Secret | undefined {
  if (!text) return undefined;
  const { password } = JSON.parse(text) as { password?: string };
  return password ? new Secret(password) : undefined;
}
