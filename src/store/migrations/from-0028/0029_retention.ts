/** The time before which a stack's events were deleted: the vendor may still list them, and they must not come back. Null: none were. */
export const retention: readonly string[] = [`alter table stacks add column events_kept_from bigint`];
