/** A resource of a stack that has stores. */
export interface Placed {
  resource: string;
  type: string;
  /** The physical id; not used for servers, of which one resource has several. */
  id: string;
}
