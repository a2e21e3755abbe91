import type { Deletion } from '../../operations/stacks/change/delete-stack.ts';

/** A result stored for an idempotency key before this version has no data. */
export const presentDeletedData = ({ data = [] }: Partial<Deletion>) =>
  data.length === 0
    ? {}
    : {
        data: data.map(({ id, kind, resource, resourceType, keptAs, sentence }) => ({
          id,
          kind,
          resource,
          resource_type: resourceType,
          kept_as: keptAs,
          sentence,
        })),
      };
