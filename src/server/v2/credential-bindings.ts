import * as credentials from '../../contract/v2/credentials.ts';
import type { Actor } from '../../operations/access/access.ts';
import type { Service } from '../../operations/service.ts';
import { type Binding, bindFor } from '../http/binding.ts';
import {
  answerAllCredentials,
  answerCredentialsOf,
  dropCredential,
  takeCredential,
} from '../shared/credential-requests.ts';

const bind = bindFor<Actor>();

export const credentialBindings = (service: Service): Binding<Actor>[] => [
  bind(credentials.listCredentials, ({ actor }) => answerAllCredentials(service, actor)),
  bind(credentials.saveCredential, ({ actor, body }) =>
    takeCredential(service, actor, body.vendor, body.credentials),
  ),
  bind(credentials.deleteCredential, ({ actor, body, query }) =>
    dropCredential(service, actor, [body, query]),
  ),
  bind(credentials.listVendorCredentials, ({ actor, params }) =>
    answerCredentialsOf(service, actor, params.vendor),
  ),
  bind(credentials.saveVendorCredential, ({ actor, params, body }) =>
    takeCredential(service, actor, params.vendor, body.credentials),
  ),
  bind(credentials.deleteVendorCredential, ({ actor, params, body, query }) =>
    dropCredential(service, actor, [params, body, query]),
  ),
];
