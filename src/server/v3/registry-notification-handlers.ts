import type * as notifications from '../../contract/v3/registry/notifications.ts';
import type { Actor } from '../../operations/access/access.ts';
import {
  receiveNotifications,
  requireNotificationSecret,
} from '../../operations/registry/images/notifications.ts';
import type { Service } from '../../operations/service.ts';
import type { Handlers } from '../http/binding.ts';

export const registryNotificationHandlers = (
  service: Service,
): Handlers<typeof notifications.registryNotificationRoutes, Actor> => ({
  receiveRegistryNotifications: async ({ token, body, signedIn }) => {
    await requireNotificationSecret(service, token);
    await signedIn(null);
    return { status: 'success', received: await receiveNotifications(service, body.events) };
  },
});
