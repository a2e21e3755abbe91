import { oneServer } from '../../world.ts';

/** One server and a MySQL database. */
export const withDatabase = () => {
  const { configurations, ...rest } = oneServer(1);
  const [layer] = configurations;
  const provision = { ...layer?.provision, rds: { engine: 'mysql', storage: 20 } };
  return { ...rest, configurations: [{ ...layer, provision }] };
};
