import { credentialRoutesOf } from '../credentials.ts';

export const credentialRoutes = credentialRoutesOf('v2');

export const [, , , listVendorCredentials, saveVendorCredential, deleteVendorCredential] = credentialRoutes;
