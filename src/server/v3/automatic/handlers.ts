import { utcTime } from '../../../basics/clock.ts';
import type * as hooks from '../../../contract/v3/automatic/hooks.ts';
import type * as state from '../../../contract/v3/automatic/state.ts';
import type { Actor } from '../../../operations/access/access.ts';
import {
  type AutomaticState,
  readAutomatic,
  setPaused,
} from '../../../operations/automatic/automatic-state.ts';
import { callHook } from '../../../operations/automatic/hooks/call-hook.ts';
import {
  createHook,
  hookUrl,
  readHook,
  removeHook,
} from '../../../operations/automatic/hooks/manage-hook.ts';
import type { Service } from '../../../operations/service.ts';
import type { Handlers } from '../../http/binding.ts';

const timeOf = (at: number | null | undefined): string | null =>
  at === null || at === undefined ? null : utcTime(at);

const presentState = (stackId: string, { paused, layers, hasHook, last }: AutomaticState) => ({
  stack_id: stackId,
  paused: paused !== null,
  paused_by: paused?.by ?? '',
  paused_at: timeOf(paused?.at),
  layers: layers.map(({ missed, ...layer }) => ({
    ...layer,
    would_have_deployed: missed && { ...missed, at: utcTime(missed.at) },
  })),
  deploy_hook: hasHook,
  last_version: last
    ? { version_id: last.id, cause: last.cause, created_at: utcTime(last.created_at) }
    : null,
});

export const automaticHandlers = (service: Service): Handlers<typeof state.automaticRoutes, Actor> => ({
  describeAutomatic: async ({ actor, params: { stack_id: stackId } }) =>
    presentState(stackId, await readAutomatic(service, actor, stackId)),
  setAutomatic: async ({ actor, params: { stack_id: stackId }, body: { paused }, setAuditDetail }) => {
    setAuditDetail(paused ? 'paused' : 'resumed');
    return presentState(stackId, await setPaused(service, actor, { stackId, paused }));
  },
});

export const hookHandlers = (service: Service): Handlers<typeof hooks.hookRoutes, Actor> => ({
  createDeployHook: async ({ actor, params: { stack_id: stackId }, setHeader }) => {
    const { url, secret } = await createHook(service, actor, stackId);
    setHeader('cache-control', 'no-store');
    return { stack_id: stackId, url, secret: secret.reveal() };
  },
  describeDeployHook: async ({ actor, params: { stack_id: stackId } }) => {
    const hook = await readHook(service, actor, stackId);
    return {
      stack_id: stackId,
      exists: hook !== undefined,
      url: hook ? hookUrl(service, hook.id) : '',
      created_by: hook?.created_by ?? '',
      created_at: timeOf(hook?.created_at),
      last_used_at: timeOf(hook?.last_used_at),
      last_result: hook?.last_result ?? '',
    };
  },
  deleteDeployHook: async ({ actor, params }) => {
    await removeHook(service, actor, params.stack_id);
    return { status: 'success' };
  },
  callDeployHook: async ({ params, headers, token, body, request }) => {
    const proof = {
      token,
      hubSignature: headers['x-hub-signature-256'],
      githubDelivery: headers['x-github-delivery'],
      giteaSignature: headers['x-gitea-signature'],
      giteaDelivery: headers['x-gitea-delivery'],
      gitlabToken: headers['x-gitlab-token'],
      gitlabDelivery: headers['x-gitlab-event-uuid'],
      idempotencyKey: headers['idempotency-key'],
    };
    const { id, address } = request;
    const delivery = { hookId: params.hook_id, proof, text: body.text, request: { id, address } };
    const { result, versionId } = await callHook(service, delivery);
    return { status: 'success', result, version_id: versionId };
  },
});
