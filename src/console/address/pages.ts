/** Every address of the console, below /console. */
export const pages = {
  stacks: '/',
  signIn: '/sign-in',
  handOver: '/sign-in/alm',
  newStack: '/new',
  stack: '/stack/:id',
  events: '/stack/:id/events',
  instances: '/stack/:id/instances',
  versions: '/stack/:id/versions',
  drift: '/stack/:id/drift',
  stackData: '/stack/:id/data',
  settings: '/stack/:id/settings',
  edit: '/stack/:id/edit',
  compare: '/compare',
  data: '/data',
  credentials: '/credentials',
  images: '/images',
  image: '/images/repository',
  users: '/users',
  user: '/users/:name',
  roles: '/roles',
  role: '/roles/:id',
  clients: '/clients',
  audit: '/audit',
  sandbox: '/sandbox',
  me: '/me',
} as const;

type ParamsIn<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamsIn<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

type Values = Readonly<Record<string, string | undefined>>;

type Arguments<Path extends string> = [ParamsIn<Path>] extends [never]
  ? [params?: null, search?: Values]
  : [params: Record<ParamsIn<Path>, string>, search?: Values];

/** `addressOf(pages.stack, { id })`; a second object is the search part. */
export function addressOf<Path extends string>(page: Path, ...[params, search]: Arguments<Path>): string {
  const values: Values = params ?? {};
  const path = page.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(search ?? {})) if (value) query.set(name, value);
  return query.size > 0 ? `${path}?${query.toString()}` : path;
}
