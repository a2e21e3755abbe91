import type { Run } from '../../command.ts';

const sample = {
  Version: '2017-05-05',
  Statement: [
    {
      Effect: 'Deny',
      Action: ['stack:describeStacks'],
      Resource: ['mrn:alm:stack:mo-5447826c870e7-aB3dE6gH9-tk'],
    },
    { Effect: 'Allow', Action: ['*'], Resource: ['*'] },
  ],
};

export const printSample: Run = ({ out }) => out.document(JSON.stringify(sample));
