/** In the place of a role id in the address: the page of a role that does not exist yet. */
export const newRole = 'new';
