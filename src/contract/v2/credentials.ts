import { route } from '../route.ts';
import * as v3 from '../v3/credentials.ts';

const all = '/v2/credentials';
const ofVendor = '/v2/credentials/{vendor}';

export const listCredentials = route({ ...v3.listed, name: 'v2ListCredentials', path: all });
export const saveCredential = route({ ...v3.save, name: 'v2SaveCredential', path: all });
export const deleteCredential = route({ ...v3.remove, name: 'v2DeleteCredential', path: all });
export const listVendorCredentials = route({
  ...v3.listedOfVendor,
  name: 'v2ListVendorCredentials',
  path: ofVendor,
});
export const saveVendorCredential = route({
  ...v3.saveForVendor,
  name: 'v2SaveVendorCredential',
  path: ofVendor,
});
export const deleteVendorCredential = route({
  ...v3.removeOfVendor,
  name: 'v2DeleteVendorCredential',
  path: ofVendor,
});

export const credentialRoutes = [
  listCredentials,
  saveCredential,
  deleteCredential,
  listVendorCredentials,
  saveVendorCredential,
  deleteVendorCredential,
];
