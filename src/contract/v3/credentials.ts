import { credentialRoutesOf } from '../credentials.ts';

export const credentialRoutes = credentialRoutesOf('v3');

export const [, , , listVendorCredentials, saveVendorCredential, deleteVendorCredential] = credentialRoutes;
