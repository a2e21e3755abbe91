import type {
  endOtherTokens,
  endOwnToken,
  endTokenOfUser,
  endTokensOfUser,
} from '../../../contract/v3/sign-in/own-tokens.ts';
import { usageError } from '../../cli-error.ts';
import type { Context, Run } from '../../command.ts';
import { printReply } from '../print-reply.ts';

const revokeOne = ({ api }: Context, token_id: string, username: string | undefined) =>
  username === undefined
    ? api.call<typeof endOwnToken>('DELETE', '/v3/token/{token_id}', { params: { token_id } })
    : api.call<typeof endTokenOfUser>('DELETE', '/v3/user/{username}/token/{token_id}', {
        params: { username, token_id },
      });

const revokeAll = ({ api }: Context, username: string | undefined) =>
  username === undefined
    ? api.call<typeof endOtherTokens>('DELETE', '/v3/token')
    : api.call<typeof endTokensOfUser>('DELETE', '/v3/user/{username}/token', { params: { username } });

export const revokeSignIn: Run = async (context) => {
  const { args } = context;
  const tokenId = args.text('token-id');
  const username = args.text('user');
  if ((tokenId === undefined) === !args.is('all'))
    throw usageError(
      'Name one sign-in by its token ID, or all with --all.',
      'To list them: alm sign-in list',
    );
  await printReply(
    context,
    tokenId === undefined ? await revokeAll(context, username) : await revokeOne(context, tokenId, username),
  );
};
