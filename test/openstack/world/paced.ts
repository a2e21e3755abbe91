import { eventually } from '../../http.ts';

const pauseMs = 1000;
const limitSeconds = 600;

/** As `eventually`, with a pause before each reading: what waits for the rig leaves it the processor. Fails with the last reading. */
export const paced = <T>(read: () => Promise<T>, wanted: (found: T) => boolean): Promise<T> =>
  eventually(
    async () => {
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      return read();
    },
    wanted,
    limitSeconds,
  );
