import { nothingChosen } from '../../../src/vendors/openstack/choices.ts';
import type { OpenStackDocument, TemplateResource } from '../../../src/vendors/openstack/document.ts';

export const documentWith = (resources: Record<string, TemplateResource>): OpenStackDocument => ({
  region: 'RegionOne',
  dialect: 'openstack',
  template: {
    heat_template_version: '2018-08-31',
    description: '',
    parameters: {},
    resources,
    outputs: {},
  },
  files: {},
  secrets: { agentToken: false, databasePassword: false, publicKeysOf: [] },
  choices: nothingChosen,
  notes: [],
});
