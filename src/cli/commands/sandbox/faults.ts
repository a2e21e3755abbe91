import type { BodyOf, QueryOf, SuccessOf } from '../../../contract/route.ts';
import type { injectFault as injectRoute, listFaults as listRoute } from '../../../contract/v3/sandbox.ts';
import type { Context, Run } from '../../command.ts';
import { tableTime } from '../../view/table.ts';
import { printReply } from '../print-reply.ts';

const path = '/v3/sandbox/fault';

type Place = QueryOf<typeof listRoute>;
type Fault = BodyOf<typeof injectRoute>;
type InForce = SuccessOf<typeof listRoute>[number];

const withoutUndefined = <T extends object>(members: T): T =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T;

const placeOf = ({ args }: Context): Place =>
  withoutUndefined({
    stack_id: args.text('id'),
    vendor: args.text('vendor'),
    cred: args.text('cred'),
  }) as Place;

const detailOf = ({ position, reason, until, resource, with_stack, mode, image }: InForce): string => {
  if (mode !== undefined) return `${mode}${image ? `: images with "${image}"` : ''}`;
  if (position !== undefined) return `creation ${position}: ${reason ?? ''}`;
  if (until !== undefined) return `until ${tableTime(until)}`;
  return `${resource ?? ''} is used by ${with_stack ?? ''}`;
};

export const listFaults: Run = async (context) => {
  const { text, body } = await context.api.call<typeof listRoute>('GET', path, { query: placeOf(context) });
  await context.out.document(text, () => ({
    header: ['KIND', 'STACK', 'DETAIL'],
    rows: body.map((fault) => [fault.kind, fault.stack_id ?? 'next or any', detailOf(fault)]),
  }));
};

export const injectFault: Run = async (context) => {
  const { args, api } = context;
  const body = withoutUndefined({
    ...placeOf(context),
    kind: args.required('kind'),
    position: args.number('position'),
    reason: args.text('reason'),
    seconds: args.number('seconds'),
    instance_id: args.text('instance-id'),
    resource: args.text('resource'),
    with_stack: args.text('with-stack'),
    mode: args.text('mode'),
    image: args.text('image'),
  }) as Fault;
  await printReply(context, await api.call<typeof injectRoute>('POST', path, { body }));
};

export const clearFaults: Run = async (context) => {
  const body = { ...placeOf(context), kind: 'clear' as const };
  await printReply(context, await context.api.call<typeof injectRoute>('POST', path, { body }));
};
