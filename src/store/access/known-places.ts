import type { Query } from '../database/database.ts';

/** When the subject last signed in from this place; 0: never. */
export const readKnownPlace = async (query: Query, subject: string, place: string): Promise<number> => {
  const row = await query
    .selectFrom('known_places')
    .select('noted_at')
    .where('subject', '=', subject)
    .where('place', '=', place)
    .executeTakeFirst();
  return row?.noted_at ?? 0;
};

interface KnownPlace {
  subject: string;
  place: string;
  now: number;
}

/** Also deletes places before `before`, and all but the latest `max` of the subject. */
export async function saveKnownPlace(
  query: Query,
  { subject, place, now }: KnownPlace,
  { before, max }: { before: number; max: number },
): Promise<void> {
  await query
    .insertInto('known_places')
    .values({ subject, place, noted_at: now })
    .onConflict((conflict) => conflict.columns(['subject', 'place']).doUpdateSet({ noted_at: now }))
    .execute();
  await query.deleteFrom('known_places').where('noted_at', '<', before).execute();
  await query
    .deleteFrom('known_places')
    .where('subject', '=', subject)
    .where('noted_at', '<', (select) =>
      select
        .selectFrom('known_places')
        .select('noted_at')
        .where('subject', '=', subject)
        .orderBy('noted_at', 'desc')
        .limit(1)
        .offset(max - 1),
    )
    .execute();
}
