import type { Static } from 'typebox';
import { Failure } from '../../../basics/failure.ts';
import { defaultVendor, sandboxCredential } from '../../../contract/defaults.ts';
import type {
  injectFault as injectFaultRoute,
  listFaults as listFaultsRoute,
} from '../../../contract/v3/sandbox.ts';
import type { FaultPlace, FaultRequest } from '../../../operations/stacks/change/inject-fault.ts';

type Fault = FaultRequest['fault'];
type Fields = Static<(typeof injectFaultRoute)['body']>;

const required = <T>(value: T | undefined, name: string, kind: string): T => {
  if (value !== undefined) return value;
  throw new Failure('invalid_request', `${name} not specified`, {
    description: `Fault ${kind} requires ${name}.`,
  });
};

const faultOf = (fields: Fields): Fault => {
  const { kind, position, seconds, reason, instance_id, resource, with_stack, mode, image } = fields;
  switch (kind) {
    case 'fail_resource':
      return {
        kind,
        position: required(position, 'position', kind),
        ...(reason === undefined ? {} : { reason }),
      };
    case 'unreachable':
      return { kind, seconds: required(seconds, 'seconds', kind) };
    case 'spot_notice':
      return { kind, ...(instance_id === undefined ? {} : { instanceId: instance_id }) };
    case 'share_resource':
      return {
        kind,
        withStack: required(with_stack, 'with_stack', kind),
        ...(resource === undefined ? {} : { resource }),
      };
    case 'fail_app':
      return {
        kind,
        mode: required(mode, 'mode', kind),
        ...(image === undefined ? {} : { image }),
        ...(reason === undefined ? {} : { reason }),
      };
    case 'clear':
      return { kind };
  }
};

/** Without a stack, it is the cloud account of a credential, by default that of the sandbox. */
export const readPlace = ({
  vendor,
  cred,
  stack_id,
}: Partial<Static<(typeof listFaultsRoute)['query']>>): FaultPlace => ({
  vendor: vendor ?? defaultVendor,
  credentialId: cred ?? sandboxCredential,
  stackId: stack_id,
});

export const readFault = (fields: Fields): FaultRequest => ({ ...readPlace(fields), fault: faultOf(fields) });
