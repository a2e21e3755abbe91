import type { describeSecondFactor as describeRoute } from '../../../contract/v3/sign-in/second-factor.ts';
import type { Run } from '../../command.ts';

export const showStatus: Run = async ({ api, out }) => {
  const { text } = await api.call<typeof describeRoute>('GET', '/v3/second_factor');
  await out.document(text);
};
