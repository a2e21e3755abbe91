import { utcTime } from '../../../basics/clock.ts';
import { Secret } from '../../../basics/secret.ts';
import type { secretRoutes } from '../../../contract/v3/secrets/secrets.ts';
import type { Actor } from '../../../operations/access/access.ts';
import { describeSecrets, type ListedSecret, removeSecret } from '../../../operations/secrets/secrets.ts';
import type { Service } from '../../../operations/service.ts';
import { setSecret } from '../../../operations/stacks/change/set-secret.ts';
import type { Handlers } from '../../http/binding.ts';

const present = ({ row, stacks }: ListedSecret) => ({
  name: row.name,
  revision: row.revision,
  created_by: row.created_by,
  updated_by: row.updated_by,
  updated_at: utcTime(row.updated_at),
  stacks: stacks.map(({ id, nickname }) => ({ stack_id: id, nickname })),
});

export const secretHandlers = (service: Service): Handlers<typeof secretRoutes, Actor> => ({
  listSecrets: async ({ actor }) => (await describeSecrets(service, actor)).map(present),
  setSecret: async ({ actor, params: { secret_name: name }, body }) => {
    const { isChanged, stacks } = await setSecret(service, actor, { name, value: new Secret(body.value) });
    return { status: 'success', changed: isChanged, stacks: [...stacks] };
  },
  deleteSecret: async ({ actor, params: { secret_name: name } }) => {
    await removeSecret(service, actor, name);
    return { status: 'success' };
  },
});
