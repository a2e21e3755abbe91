import type { Static } from 'typebox';
import { utcTime } from '../../../basics/clock.ts';
import type { templateDiff } from '../../../contract/v3/schemas/template-diff.ts';
import type { Compared } from '../../../operations/stacks/read/compare-templates.ts';
import type { Preview } from '../../../operations/stacks/read/preview-template.ts';
import type { readVersions } from '../../../operations/stacks/read/read-versions.ts';
import { presentCost } from './cost.ts';

type Version = Awaited<ReturnType<typeof readVersions>>[number];

/** The size is a string, because existing clients decode a string. */
export const presentVersion = (version: Version) => ({
  version_id: version.id,
  latest: version.latest,
  last_modified: utcTime(version.created_at),
  size: String(version.size),
  created_by: version.created_by,
  label: String(version.label ?? ''),
  cause: version.cause,
});

/** `removed` is an empty array if nothing was removed, otherwise an object, as the API defines. */
export const presentDifference = ({
  added,
  removed,
  edited,
}: Compared['difference']): Static<typeof templateDiff> => ({
  new: [...added].map(([path, value]) => Object.fromEntries([[path, value]])),
  removed: removed.size === 0 ? [] : Object.fromEntries(removed),
  edited: Object.fromEntries(
    [...edited].map(([path, { before, after }]) => [path, { oldvalue: before, newvalue: after }]),
  ),
});

export const presentChange = ({
  action,
  resource,
  resourceType,
  members,
  warning,
}: Preview['changes'][number]) => ({
  action,
  resource,
  resource_type: resourceType,
  members: [...members],
  warning,
});

export const presentAffected = ({ confirm, sentences, ...store }: Preview['data'][number]) => ({
  ...store,
  confirm: [...confirm],
  sentences: [...sentences],
});

export const presentPreview = (stackId: string, { changes, warnings, data, difference, cost }: Preview) => ({
  status: 'success',
  ...(stackId === '' ? {} : { stack_id: stackId }),
  changes: changes.map(presentChange),
  warnings,
  data: data.map(presentAffected),
  ...(difference ? { diff: presentDifference(difference) } : {}),
  cost: presentCost(cost),
});
