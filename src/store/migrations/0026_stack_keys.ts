/** Key pairs that Almanac makes for the layers of a stack, where the cloud makes none. */
export const stackKeys: readonly string[] = [
  `create table stack_keys (
     stack_id text not null references stacks (id) on delete cascade, flag text not null, public_key text not null,
     sealed_key text not null, created_at bigint not null, primary key (stack_id, flag))`,
];
