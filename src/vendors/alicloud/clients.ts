import { createRequire } from 'node:module';
import type { $OpenApiUtil, OpenApiUtil } from '@alicloud/openapi-core';
import { callEndpoint } from '../../basics/calls/call-limit.ts';
import type { Clock } from '../../basics/clock.ts';
import type { VendorAccess } from '../vendor.ts';
import { CallLimiter } from './call-limiter.ts';
import { endpointOf } from './endpoints.ts';
import { explainError, isAnswer, isCutOff } from './errors.ts';
import { type ActionOf, apiVersions, type Service, withoutRegion } from './permissions/calls.ts';

/** Called for every request sent. */
export type CountCall = (service: string, operation: string) => void;

interface Content {
  query?: object;
  /** What must not be in a URL: long or secret values. */
  body?: object;
}

type CloudRequest = { [S in Service]: Content & { service: S; action: ActionOf<S> } }[Service];

/**
 * The services of one credential in one region. Rejected access is `CredentialRejected` in every call, an outage `Unreachable`, any other
 * rejection a `CloudError`.
 */
export interface Clients {
  region: string;
  /** Sends a request. Its answer has the names of the service. */
  call<T>(request: CloudRequest): Promise<T>;
}

interface ClientParts {
  access: VendorAccess;
  region: string;
  clock: Clock;
  countCall: CountCall;
  /** A URL in place of the addresses of all services; null: the public ones. */
  endpoint: string | null;
}

interface Client {
  callApi(
    params: $OpenApiUtil.Params,
    request: $OpenApiUtil.OpenApiRequest,
    runtime: object,
  ): Promise<{ body?: unknown }>;
}

interface Sdk {
  $OpenApiUtil: typeof $OpenApiUtil;
  OpenApiUtil: typeof OpenApiUtil;
  default: new (config: $OpenApiUtil.Config) => Client;
}

/** A CommonJS package, whose default export means something else to every tool that imports it. */
const load = createRequire(import.meta.url);

/** The SDK takes a quarter of a second to load, so it is loaded with the first call. */
function makeSender({ access, region, endpoint }: ClientParts, service: Service) {
  const { $OpenApiUtil: kinds, OpenApiUtil: tools, default: Client } = load('@alicloud/openapi-core') as Sdk;
  const place = endpointOf(service, region, endpoint);
  const client = new Client(
    new kinds.Config({
      accessKeyId: access.credentialId,
      accessKeySecret: access.secret.reveal(),
      regionId: region,
      ...place,
      // Report a cloud that does not answer soon; the reconciler retries.
      connectTimeout: 5_000,
      readTimeout: 20_000,
    }),
  );
  return async (action: string, query: object, body: object | undefined): Promise<unknown> => {
    const params = new kinds.Params({
      action,
      version: apiVersions[service],
      protocol: place.protocol,
      pathname: '/',
      method: 'POST',
      authType: 'AK',
      style: 'RPC',
      bodyType: 'json',
      reqBodyType: 'formData',
    });
    const request = new kinds.OpenApiRequest({
      query: tools.query(query),
      ...(body ? { body } : {}),
    });
    return (await client.callApi(params, request, {})).body;
  };
}

type Send = ReturnType<typeof makeSender>;

/** The SDK throws answers that reject a request. */
async function answerOf(host: string, send: () => Promise<unknown>): Promise<unknown> {
  const answer = await callEndpoint({ vendor: 'alicloud', host }, async () => {
    try {
      return { body: await send() };
    } catch (cause) {
      if (!isAnswer(cause)) throw cause;
      return { cause };
    }
  });
  if ('cause' in answer) throw answer.cause;
  return answer.body;
}

/** Connections that the cloud closed while they were idle fail at once: a read is repeated. */
async function repeatingReads<T>(action: string, send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (cause) {
    if (!isCutOff(cause) || !/^(Describe|Get|List)/.test(action)) throw cause;
    return send();
  }
}

export function makeClients(parts: ClientParts): Clients {
  const { region, clock, countCall } = parts;
  const limiter = new CallLimiter(clock);
  const senders = new Map<Service, Send>();
  const senderOf = (service: Service): Send => {
    const known = senders.get(service) ?? makeSender(parts, service);
    senders.set(service, known);
    return known;
  };
  return {
    region,
    call: async <T>({ service, action, query = {}, body }: CloudRequest): Promise<T> => {
      const send = senderOf(service);
      try {
        return (await repeatingReads(action, async () => {
          await limiter.take(`${service}.${action}`);
          countCall(service, action);
          const sent = { ...(withoutRegion.has(action) ? {} : { RegionId: region }), ...query };
          return answerOf(endpointOf(service, region, parts.endpoint).endpoint, () =>
            send(action, sent, body),
          );
        })) as T;
      } catch (cause) {
        throw explainError(cause, `${service} ${action}`);
      }
    },
  };
}
