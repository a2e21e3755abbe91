import { useState } from 'react';
import type { setVisibility } from '../../contract/v3/registry/images.ts';
import { call } from '../api/call.ts';
import { readAgain } from '../api/read.ts';
import { Button } from '../parts/acts/button.tsx';
import { word } from '../parts/acts/command.ts';
import { Confirm } from '../parts/forms/confirm.tsx';
import { announce } from '../parts/messages/toast.tsx';

interface VisibilityProps {
  repository: string;
  visibility: 'private' | 'public';
  /** Why the button is off. */
  off: string | undefined;
}

const consequences = {
  public: ['Anybody who reaches the registry may pull all tags, also without signing in.'],
  private: [
    'Only users whose roles allow it may pull.',
    'Stacks of this account that use it still can. What others pulled before stays with them.',
  ],
} as const;

export const Visibility = ({ repository, visibility, off }: VisibilityProps) => {
  const [asking, setAsking] = useState(false);
  const next = visibility === 'public' ? 'private' : 'public';
  const act = next === 'public' ? 'Publish' : 'Make private';
  const change = async (): Promise<void> => {
    const query = { image_id: repository, visibility: next } as const;
    await call<typeof setVisibility>('PUT', '/v3/alm/registry/visibility', { query });
    await readAgain('/v3/alm/registry');
    announce(`${repository} is ${next}`);
    setAsking(false);
  };
  return (
    <>
      <Button off={off} onClick={() => setAsking(true)}>
        {act}
      </Button>
      {asking && (
        <Confirm
          title={`${act}: ${repository}`}
          consequences={consequences[next]}
          act={act}
          command={`alm registry visibility ${word(repository, 'image')} ${next}`}
          onConfirm={change}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
};
