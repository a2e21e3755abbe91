/** Values used when a request does not set them; documented with the routes. */
export const defaultVendor = 'aws';
export const sandboxCredential = 'SANDBOX';
