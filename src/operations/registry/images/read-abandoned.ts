import { deleteMeta, listMeta } from '../../../store/database/meta.ts';
import type { Service } from '../../service.ts';
import { syncRegistry } from './sync.ts';
import { abandonedMs, markPrefix } from './unread-mark.ts';

/** Reads the registry again if a server ended before all events were in the index. Returns whether one did. */
export async function readAbandoned(service: Service): Promise<boolean> {
  const { database, clock } = service;
  const marks = (await listMeta(database.query, markPrefix)).filter((value) => {
    const [, writtenAt] = value.split(' ');
    return clock.now() - Number(writtenAt) > abandonedMs;
  });
  if (marks.length === 0) return false;
  await syncRegistry(service);
  for (const value of marks)
    await deleteMeta(database.query, markPrefix + String(value.split(' ')[0]), value);
  return true;
}
