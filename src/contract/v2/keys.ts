import { route } from '../route.ts';
import { linkToKey } from '../v3/keys.ts';

export const createKeyLink = route({ ...linkToKey, name: 'v2CreateKeyLink', path: '/v2/alm/pem' });

export const keyRoutes = [createKeyLink] as const;
